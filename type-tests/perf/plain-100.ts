import { Effect, type Layer, Schema } from "effect"
import { LanguageModel, Tool as AiTool, Toolkit as AiToolkit } from "effect/ai"
import { Agent, AgentRunner, Middleware, type SessionStore, State, SubAgent, Tool, ToolContext, Toolkit } from "tenon"
const T0 = AiTool.make("t0", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T1 = AiTool.make("t1", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T2 = AiTool.make("t2", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T3 = AiTool.make("t3", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T4 = AiTool.make("t4", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T5 = AiTool.make("t5", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T6 = AiTool.make("t6", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T7 = AiTool.make("t7", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T8 = AiTool.make("t8", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T9 = AiTool.make("t9", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T10 = AiTool.make("t10", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T11 = AiTool.make("t11", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T12 = AiTool.make("t12", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T13 = AiTool.make("t13", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T14 = AiTool.make("t14", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T15 = AiTool.make("t15", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T16 = AiTool.make("t16", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T17 = AiTool.make("t17", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T18 = AiTool.make("t18", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T19 = AiTool.make("t19", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T20 = AiTool.make("t20", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T21 = AiTool.make("t21", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T22 = AiTool.make("t22", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T23 = AiTool.make("t23", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T24 = AiTool.make("t24", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T25 = AiTool.make("t25", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T26 = AiTool.make("t26", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T27 = AiTool.make("t27", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T28 = AiTool.make("t28", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T29 = AiTool.make("t29", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T30 = AiTool.make("t30", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T31 = AiTool.make("t31", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T32 = AiTool.make("t32", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T33 = AiTool.make("t33", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T34 = AiTool.make("t34", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T35 = AiTool.make("t35", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T36 = AiTool.make("t36", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T37 = AiTool.make("t37", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T38 = AiTool.make("t38", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T39 = AiTool.make("t39", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T40 = AiTool.make("t40", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T41 = AiTool.make("t41", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T42 = AiTool.make("t42", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T43 = AiTool.make("t43", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T44 = AiTool.make("t44", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T45 = AiTool.make("t45", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T46 = AiTool.make("t46", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T47 = AiTool.make("t47", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T48 = AiTool.make("t48", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T49 = AiTool.make("t49", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T50 = AiTool.make("t50", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T51 = AiTool.make("t51", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T52 = AiTool.make("t52", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T53 = AiTool.make("t53", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T54 = AiTool.make("t54", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T55 = AiTool.make("t55", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T56 = AiTool.make("t56", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T57 = AiTool.make("t57", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T58 = AiTool.make("t58", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T59 = AiTool.make("t59", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T60 = AiTool.make("t60", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T61 = AiTool.make("t61", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T62 = AiTool.make("t62", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T63 = AiTool.make("t63", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T64 = AiTool.make("t64", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T65 = AiTool.make("t65", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T66 = AiTool.make("t66", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T67 = AiTool.make("t67", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T68 = AiTool.make("t68", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T69 = AiTool.make("t69", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T70 = AiTool.make("t70", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T71 = AiTool.make("t71", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T72 = AiTool.make("t72", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T73 = AiTool.make("t73", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T74 = AiTool.make("t74", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T75 = AiTool.make("t75", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T76 = AiTool.make("t76", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T77 = AiTool.make("t77", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T78 = AiTool.make("t78", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T79 = AiTool.make("t79", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T80 = AiTool.make("t80", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T81 = AiTool.make("t81", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T82 = AiTool.make("t82", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T83 = AiTool.make("t83", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T84 = AiTool.make("t84", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T85 = AiTool.make("t85", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T86 = AiTool.make("t86", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T87 = AiTool.make("t87", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T88 = AiTool.make("t88", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T89 = AiTool.make("t89", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T90 = AiTool.make("t90", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T91 = AiTool.make("t91", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T92 = AiTool.make("t92", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T93 = AiTool.make("t93", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T94 = AiTool.make("t94", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T95 = AiTool.make("t95", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T96 = AiTool.make("t96", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T97 = AiTool.make("t97", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T98 = AiTool.make("t98", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T99 = AiTool.make("t99", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const Kit = AiToolkit.make(
  T0,
  T1,
  T2,
  T3,
  T4,
  T5,
  T6,
  T7,
  T8,
  T9,
  T10,
  T11,
  T12,
  T13,
  T14,
  T15,
  T16,
  T17,
  T18,
  T19,
  T20,
  T21,
  T22,
  T23,
  T24,
  T25,
  T26,
  T27,
  T28,
  T29,
  T30,
  T31,
  T32,
  T33,
  T34,
  T35,
  T36,
  T37,
  T38,
  T39,
  T40,
  T41,
  T42,
  T43,
  T44,
  T45,
  T46,
  T47,
  T48,
  T49,
  T50,
  T51,
  T52,
  T53,
  T54,
  T55,
  T56,
  T57,
  T58,
  T59,
  T60,
  T61,
  T62,
  T63,
  T64,
  T65,
  T66,
  T67,
  T68,
  T69,
  T70,
  T71,
  T72,
  T73,
  T74,
  T75,
  T76,
  T77,
  T78,
  T79,
  T80,
  T81,
  T82,
  T83,
  T84,
  T85,
  T86,
  T87,
  T88,
  T89,
  T90,
  T91,
  T92,
  T93,
  T94,
  T95,
  T96,
  T97,
  T98,
  T99
)
const KitLive = Kit.toLayer({
  t0: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t1: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t2: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t3: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t4: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t5: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t6: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t7: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t8: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t9: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t10: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t11: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t12: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t13: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t14: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t15: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t16: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t17: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t18: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t19: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t20: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t21: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t22: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t23: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t24: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t25: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t26: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t27: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t28: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t29: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t30: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t31: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t32: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t33: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t34: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t35: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t36: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t37: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t38: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t39: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t40: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t41: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t42: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t43: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t44: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t45: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t46: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t47: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t48: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t49: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t50: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t51: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t52: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t53: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t54: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t55: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t56: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t57: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t58: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t59: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t60: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t61: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t62: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t63: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t64: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t65: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t66: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t67: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t68: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t69: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t70: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t71: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t72: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t73: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t74: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t75: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t76: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t77: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t78: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t79: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t80: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t81: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t82: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t83: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t84: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t85: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t86: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t87: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t88: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t89: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t90: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t91: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t92: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t93: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t94: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t95: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t96: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t97: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t98: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t99: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  })
})
declare const Infra: Layer.Layer<LanguageModel.LanguageModel>
export const result = Effect.runPromise(
  LanguageModel.generateText({ prompt: "", toolkit: Kit }).pipe(Effect.provide([KitLive, Infra]))
)
