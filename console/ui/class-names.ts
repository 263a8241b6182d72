/** Joins what is there: `classNames('a', isOpen && 'b')`. */
export function classNames(...parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ')
}
