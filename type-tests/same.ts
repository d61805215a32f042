/** Two types are the same when nothing can tell them apart, `any` and `never` included. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the two functions are compared as a whole
export type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false

/** Takes `true` when the types are the same, under every compiler; tsd's `expectType` is exact under tsd alone. */
export declare const same: <A, B>(answer: Same<A, B>) => void
