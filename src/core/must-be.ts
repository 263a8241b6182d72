/**
 * What a field must be, as the end of a sentence that begins with its name: in the API, in the declarative file and on the
 * command line. `phrase`: "a whole number", or a whole ending such as "must have at most 3 entries".
 */
export function mustBe(phrase: string): string {
  return phrase.startsWith('must ') ? phrase : `must be ${phrase}`
}
