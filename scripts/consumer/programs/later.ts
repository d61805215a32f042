/** A later state of the agent of `everything.ts`: its tool is gone. */
import { Agent } from "tenon"

export const Assistant = Agent.make("assistant", { instructions: "Help." })
