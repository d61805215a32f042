/**
 * What declarations need, as types. Layer 6, edge `testing`.
 */
import type { Tool as AiTool } from "effect/ai"

/** The tools in the tree of a declaration. */
export type ToolsOf<D> = D extends { readonly "~tools": infer T } ? T
  : D extends { readonly "~middleware": { readonly tools: infer T } } ? T
  : D extends { readonly tools: infer T } ? T[keyof T]
  : D

/** What a declaration needs. */
export type NeedsOf<D> = D extends { readonly "~needs": infer N } ? N
  : D extends { readonly "~middleware": { readonly needs: infer N } } ? N
  : AiTool.Requirements<ToolsOf<D>>
