import { numberFormat } from './kept-formats.ts'

/** `12,345` */
export function formatNumber(count: number, language: string): string {
  return numberFormat(language).format(count)
}

/** `12.3K`, `1.2万`: where there is little room. Of no more than four digits: `6330万`. */
export function formatCompact(count: number, language: string): string {
  return numberFormat(language, {
    notation: 'compact',
    maximumFractionDigits: 1,
    maximumSignificantDigits: 4,
    roundingPriority: 'lessPrecision',
  }).format(count)
}

/** `share` from 0 to 1. A little is never written as nothing, and not quite all never as all. */
export function formatPercent(share: number, language: string): string {
  const percent = share * 100
  const shown = percent > 0 && percent < 1 ? 1 : percent > 99 && percent < 100 ? 99 : Math.round(percent)
  return numberFormat(language, { style: 'percent' }).format(shown / 100)
}

/** Formats a change as a percentage with its sign. */
export function formatPercentChange(share: number, language: string): string {
  const shown = formatPercent(Math.abs(share), language)
  return share === 0 ? shown : `${share > 0 ? '+' : '−'}${shown}`
}

/** Sizes of contexts, like `128K`: written alike in both languages, as models are described everywhere. */
export function tokenSize(tokens: number): string {
  return formatCompact(tokens, 'en')
}
