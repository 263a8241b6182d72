/** The parts of a Chinese text one after the other, with a space where Chinese and Latin letters or digits meet. */
export function joined(...parts: readonly string[]): string {
  return parts.reduce((text, part) => (meetsOtherScript(text, part) ? `${text} ${part}` : text + part), '')
}

function meetsOtherScript(before: string, after: string): boolean {
  return (
    (/\p{Script=Han}$/u.test(before) && /^[!-~]/.test(after)) ||
    (/[!-~]$/.test(before) && /^\p{Script=Han}/u.test(after))
  )
}
