/** Control characters, and those that turn or hide what stands beside them: a terminal would act on them. */
// oxlint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

const MOST_CHARACTERS = 500

/** Text of a gateway or a file as it may stand in a terminal: one line, without anything that a terminal acts on. */
export function shown(text: string, most = MOST_CHARACTERS): string {
  const line = text
    .slice(0, most * 4)
    .replace(UNSEEN, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}

/** An amount in dollars, rounded to the cent; null where it cannot be read. */
export function dollars(value: unknown): string | null {
  const text = typeof value === 'number' ? value.toFixed(9) : value
  if (typeof text !== 'string') return null
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d{1,15})(?:\.(\d{1,30}))?$/.exec(text) ?? []
  if (whole === '') return null
  const cents =
    BigInt(whole) * 100n + BigInt(`${fraction}00`.slice(0, 2)) + (Number(`${fraction}000`[2]) >= 5 ? 1n : 0n)
  return `${cents === 0n ? '' : sign}$${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
}
