const NANO_PLACES = 9

/** Reads the wire's decimal USD as nano-USD, to add it up exactly. Any other text counts as nothing. */
export function nanoOf(usd: string): bigint {
  return decimalOf(usd, NANO_PLACES) ?? 0n
}

/** Writes it as the wire does. */
export function usdOf(nano: bigint): string {
  return decimalText(nano, NANO_PLACES)
}

/** A decimal text as an integer of its last place; undefined when it is none, or has more places. */
export function decimalOf(text: string, places: number): bigint | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  const fraction = match?.[3] ?? ''
  if (match === null || fraction.length > places) return undefined
  const magnitude = BigInt(`${match[2] ?? '0'}${fraction.padEnd(places, '0')}`)
  return match[1] === '-' ? -magnitude : magnitude
}

/** The other way round, without trailing zeros. */
export function decimalText(amount: bigint, places: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(places + 1, '0')
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, digits.length - places)}${fraction === '' ? '' : `.${fraction}`}`
}
