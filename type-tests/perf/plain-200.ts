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
const T100 = AiTool.make("t100", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T101 = AiTool.make("t101", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T102 = AiTool.make("t102", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T103 = AiTool.make("t103", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T104 = AiTool.make("t104", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T105 = AiTool.make("t105", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T106 = AiTool.make("t106", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T107 = AiTool.make("t107", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T108 = AiTool.make("t108", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T109 = AiTool.make("t109", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T110 = AiTool.make("t110", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T111 = AiTool.make("t111", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T112 = AiTool.make("t112", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T113 = AiTool.make("t113", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T114 = AiTool.make("t114", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T115 = AiTool.make("t115", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T116 = AiTool.make("t116", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T117 = AiTool.make("t117", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T118 = AiTool.make("t118", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T119 = AiTool.make("t119", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T120 = AiTool.make("t120", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T121 = AiTool.make("t121", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T122 = AiTool.make("t122", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T123 = AiTool.make("t123", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T124 = AiTool.make("t124", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T125 = AiTool.make("t125", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T126 = AiTool.make("t126", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T127 = AiTool.make("t127", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T128 = AiTool.make("t128", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T129 = AiTool.make("t129", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T130 = AiTool.make("t130", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T131 = AiTool.make("t131", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T132 = AiTool.make("t132", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T133 = AiTool.make("t133", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T134 = AiTool.make("t134", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T135 = AiTool.make("t135", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T136 = AiTool.make("t136", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T137 = AiTool.make("t137", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T138 = AiTool.make("t138", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T139 = AiTool.make("t139", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T140 = AiTool.make("t140", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T141 = AiTool.make("t141", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T142 = AiTool.make("t142", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T143 = AiTool.make("t143", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T144 = AiTool.make("t144", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T145 = AiTool.make("t145", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T146 = AiTool.make("t146", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T147 = AiTool.make("t147", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T148 = AiTool.make("t148", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T149 = AiTool.make("t149", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T150 = AiTool.make("t150", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T151 = AiTool.make("t151", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T152 = AiTool.make("t152", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T153 = AiTool.make("t153", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T154 = AiTool.make("t154", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T155 = AiTool.make("t155", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T156 = AiTool.make("t156", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T157 = AiTool.make("t157", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T158 = AiTool.make("t158", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T159 = AiTool.make("t159", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T160 = AiTool.make("t160", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T161 = AiTool.make("t161", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T162 = AiTool.make("t162", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T163 = AiTool.make("t163", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T164 = AiTool.make("t164", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T165 = AiTool.make("t165", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T166 = AiTool.make("t166", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T167 = AiTool.make("t167", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T168 = AiTool.make("t168", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T169 = AiTool.make("t169", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T170 = AiTool.make("t170", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T171 = AiTool.make("t171", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T172 = AiTool.make("t172", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T173 = AiTool.make("t173", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T174 = AiTool.make("t174", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T175 = AiTool.make("t175", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T176 = AiTool.make("t176", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T177 = AiTool.make("t177", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T178 = AiTool.make("t178", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T179 = AiTool.make("t179", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T180 = AiTool.make("t180", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T181 = AiTool.make("t181", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T182 = AiTool.make("t182", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T183 = AiTool.make("t183", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T184 = AiTool.make("t184", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T185 = AiTool.make("t185", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T186 = AiTool.make("t186", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T187 = AiTool.make("t187", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T188 = AiTool.make("t188", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T189 = AiTool.make("t189", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T190 = AiTool.make("t190", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T191 = AiTool.make("t191", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T192 = AiTool.make("t192", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T193 = AiTool.make("t193", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T194 = AiTool.make("t194", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T195 = AiTool.make("t195", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T196 = AiTool.make("t196", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T197 = AiTool.make("t197", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T198 = AiTool.make("t198", {
  parameters: Schema.Struct({ a: Schema.String, b: Schema.Int, c: Schema.Boolean }),
  success: Schema.String
})
const T199 = AiTool.make("t199", {
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
  T99,
  T100,
  T101,
  T102,
  T103,
  T104,
  T105,
  T106,
  T107,
  T108,
  T109,
  T110,
  T111,
  T112,
  T113,
  T114,
  T115,
  T116,
  T117,
  T118,
  T119,
  T120,
  T121,
  T122,
  T123,
  T124,
  T125,
  T126,
  T127,
  T128,
  T129,
  T130,
  T131,
  T132,
  T133,
  T134,
  T135,
  T136,
  T137,
  T138,
  T139,
  T140,
  T141,
  T142,
  T143,
  T144,
  T145,
  T146,
  T147,
  T148,
  T149,
  T150,
  T151,
  T152,
  T153,
  T154,
  T155,
  T156,
  T157,
  T158,
  T159,
  T160,
  T161,
  T162,
  T163,
  T164,
  T165,
  T166,
  T167,
  T168,
  T169,
  T170,
  T171,
  T172,
  T173,
  T174,
  T175,
  T176,
  T177,
  T178,
  T179,
  T180,
  T181,
  T182,
  T183,
  T184,
  T185,
  T186,
  T187,
  T188,
  T189,
  T190,
  T191,
  T192,
  T193,
  T194,
  T195,
  T196,
  T197,
  T198,
  T199
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
  }),
  t100: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t101: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t102: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t103: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t104: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t105: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t106: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t107: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t108: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t109: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t110: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t111: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t112: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t113: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t114: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t115: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t116: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t117: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t118: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t119: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t120: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t121: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t122: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t123: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t124: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t125: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t126: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t127: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t128: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t129: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t130: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t131: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t132: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t133: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t134: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t135: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t136: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t137: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t138: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t139: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t140: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t141: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t142: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t143: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t144: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t145: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t146: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t147: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t148: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t149: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t150: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t151: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t152: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t153: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t154: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t155: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t156: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t157: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t158: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t159: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t160: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t161: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t162: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t163: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t164: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t165: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t166: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t167: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t168: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t169: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t170: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t171: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t172: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t173: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t174: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t175: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t176: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t177: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t178: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t179: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t180: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t181: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t182: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t183: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t184: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t185: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t186: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t187: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t188: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t189: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t190: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t191: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t192: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t193: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t194: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t195: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t196: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t197: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t198: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  }),
  t199: Effect.fnUntraced(function*({ a, b, c }) {
    return yield* Effect.succeed(`${a}${b}${c}`)
  })
})
declare const Infra: Layer.Layer<LanguageModel.LanguageModel>
export const result = Effect.runPromise(
  LanguageModel.generateText({ prompt: "", toolkit: Kit }).pipe(Effect.provide([KitLive, Infra]))
)
