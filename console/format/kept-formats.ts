/**
 * Formats of `Intl`, each made once: making one takes ten times as long as writing a text with it, and a list has hundreds
 * of times and figures that are written alike.
 */
const kept = new Map<string, object>()

export function numberFormat(language: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return keptAs(`number ${language} ${JSON.stringify(options)}`, () => new Intl.NumberFormat(language, options))
}

/** `language`: undefined is the browser's own. */
export function dateTimeFormat(
  language: string | undefined,
  options: Intl.DateTimeFormatOptions = {},
): Intl.DateTimeFormat {
  return keptAs(`time ${language} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(language, options))
}

export function relativeTimeFormat(language: string): Intl.RelativeTimeFormat {
  return keptAs(`relative ${language}`, () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))
}

function keptAs<Format extends object>(name: string, make: () => Format): Format {
  const known = kept.get(name) as Format | undefined
  if (known !== undefined) return known
  const fresh = make()
  kept.set(name, fresh)
  return fresh
}
