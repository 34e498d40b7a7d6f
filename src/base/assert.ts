/** For mistakes in our own code only; a user's mistake is a `UserError`. */
export function assert(condition: unknown, because: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${because}`);
}

/** Ends a switch over a union: adding a member without a case no longer compiles. */
export function unreachable(value: never): never {
  throw new Error(`Unreachable: ${JSON.stringify(value)}`);
}
