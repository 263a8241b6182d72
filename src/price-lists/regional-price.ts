import { TOKEN_KINDS } from './listed-price.ts'

/** A price as it is written here: amounts of USD as texts, with tiers below them. */
type WrittenAmounts = Readonly<Record<string, unknown>>

/** The price with each price of tokens times a factor, also in tiers and classes of service; fees of calls stay. */
export function regionalPrice<Price extends object>(price: Price, factor: string): Price {
  return times(price as WrittenAmounts, nanosOf(factor)) as Price
}

function times(price: WrittenAmounts, factor: bigint): WrittenAmounts {
  return Object.fromEntries(
    Object.entries(price).map(([name, value]) => {
      if (typeof value === 'string' && KINDS.has(name)) return [name, textOf(nanosOf(value) * factor)]
      if (name === 'tiers' && Array.isArray(value))
        return [name, value.map((tier: object) => times({ ...tier }, factor))]
      if (name !== 'service_tiers' || typeof value !== 'object' || value === null) return [name, value]
      const services = Object.entries(value as Readonly<Record<string, object>>)
      return [name, Object.fromEntries(services.map(([service, own]) => [service, times({ ...own }, factor)]))]
    }),
  )
}

const KINDS: ReadonlySet<string> = new Set(TOKEN_KINDS)
const PLACES = 9

function nanosOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(PLACES, '0').slice(0, PLACES))
}

/** A product of two amounts in nano-units, rounded up to one, as a text without zeros behind it. */
function textOf(product: bigint): string {
  const unit = 10n ** BigInt(PLACES)
  const nanos = (product + unit - 1n) / unit
  const text = nanos.toString().padStart(PLACES + 1, '0')
  return `${text.slice(0, -PLACES)}.${text.slice(-PLACES)}`.replace(/\.?0+$/, '')
}
