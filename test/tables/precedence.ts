/**
 * Who wins under which name. `test/Precedence.test.ts` walks these rows at run time, and
 * `type-tests/Precedence.test-d.ts` as types.
 */
export const rows = [
  {
    name: "no name in common: both stay",
    under: { tenant: "acme", userId: 1 },
    over: { state: { search: { count: 0 } } },
    result: { tenant: "acme", userId: 1, state: { search: { count: 0 } } }
  },
  {
    name: "one name in common: the agent's value wins",
    under: { state: "mine", tenant: "acme" },
    over: { state: { search: { count: 0 } } },
    result: { state: { search: { count: 0 } }, tenant: "acme" }
  },
  {
    name: "every internal name is supplied: all of the agent's win",
    under: { state: 1, parentTools: 2, parentMiddleware: 3, toolContext: 4, toolCall: 5 },
    over: {
      state: {},
      parentTools: ["find"],
      parentMiddleware: ["quota"],
      toolContext: { state: 1 },
      toolCall: { id: "call-1" }
    },
    result: {
      state: {},
      parentTools: ["find"],
      parentMiddleware: ["quota"],
      toolContext: { state: 1 },
      toolCall: { id: "call-1" }
    }
  },
  {
    name: "records of one name are not merged",
    under: { state: { search: { lastQuery: "licence" } } },
    over: { state: { search: { count: 1 } } },
    result: { state: { search: { count: 1 } } }
  },
  {
    name: "null and undefined win like any other value",
    under: { state: "mine", parentTools: "mine", tenant: "acme" },
    over: { state: null, parentTools: undefined },
    result: { state: null, parentTools: undefined, tenant: "acme" }
  },
  {
    name: "null and undefined stay where nothing wins",
    under: { tenant: null, userId: undefined },
    over: { state: 1 },
    result: { tenant: null, userId: undefined, state: 1 }
  },
  {
    name: "nothing supplied",
    under: {},
    over: { state: 1 },
    result: { state: 1 }
  },
  {
    name: "nothing to overlay",
    under: { state: "mine" },
    over: {},
    result: { state: "mine" }
  },
  {
    name: "nothing at all",
    under: {},
    over: {},
    result: {}
  },
  {
    name: "the same value on both sides",
    under: { state: 1 },
    over: { state: 1 },
    result: { state: 1 }
  },
  {
    name: "a name is told apart by case",
    under: { State: "mine", STATE: "mine too" },
    over: { state: 1 },
    result: { State: "mine", STATE: "mine too", state: 1 }
  },
  {
    name: "names that every object has are names like any other",
    under: { ["__proto__"]: "mine", constructor: "mine", toString: "mine" },
    over: { ["__proto__"]: 1, hasOwnProperty: 2 },
    result: { ["__proto__"]: 1, constructor: "mine", toString: "mine", hasOwnProperty: 2 }
  },
  {
    name: "numbers as names",
    under: { 0: "mine", 1: "mine" },
    over: { 0: "theirs" },
    result: { 0: "theirs", 1: "mine" }
  }
] as const
