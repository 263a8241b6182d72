import { numberFormat } from './kept-formats.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const STEP = 1_000

/** A size in the unit that fits: "12.4 MB". */
export function formatBytes(bytes: number, language: string): string {
  const at = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, Math.abs(bytes))) / 3)))
  const unit = UNITS[at] ?? 'byte'
  return numberFormat(language, { style: 'unit', unit, maximumFractionDigits: at < 2 ? 0 : 1 }).format(
    bytes / STEP ** at,
  )
}
