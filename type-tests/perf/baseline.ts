import { Effect, type Layer, Schema } from "effect"
import { LanguageModel, Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import { Agent, AgentRunner, Middleware, type SessionStore, State, SubAgent, Tool, ToolContext, Toolkit } from "tenon"

void [
  Effect,
  Schema,
  LanguageModel,
  AiTool,
  AiToolkit,
  Agent,
  AgentRunner,
  Middleware,
  State,
  SubAgent,
  Tool,
  ToolContext,
  Toolkit
]
