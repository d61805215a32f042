/**
 * Middleware that many agents need.
 *
 * @since 0.1.0
 */
export * as TodoList from "./TodoList.ts"
