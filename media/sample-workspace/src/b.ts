/** One greeting. */
export function greet(name: string): string {
  // TODO: greet in the language of the reader
  return `Hello, ${name}!`;
}
