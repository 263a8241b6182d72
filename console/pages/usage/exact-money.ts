import { numberFormat } from '../../format/kept-formats.ts'

/** An amount with every place it has: a sum before its one rounding has up to 21. `Intl` takes the text exactly. */
export function formatExact(amount: string, language: string): string {
  return numberFormat(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: 21,
  }).format(amount as `${number}`)
}
