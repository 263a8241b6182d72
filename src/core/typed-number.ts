/**
 * Numbers as people type them: with either decimal mark, grouped or not, in full width or Arabic digits, with a dollar sign.
 * A text that can mean two numbers is refused (decision 0114). Programs write plain decimals, which `core/money.ts` reads. The
 * console reads its forms with this file, so it imports nothing.
 */

/**
 * An `amount` is of USD and a `sum` of the currency that its field names, both with up to nine places; a `factor` has up to
 * six. A `count` is a whole number.
 */
export type TypedForm = 'amount' | 'sum' | 'factor' | 'count'

/** Returns a plain decimal without needless zeros, such as `-1234.5`; null for what cannot be read, or means two numbers. */
export function readTyped(text: string, form: TypedForm): string | null {
  const [one, ...others] = readingsOf(text, form)
  return one === undefined || others.length > 0 ? null : one
}

/** Returns the two numbers that a text can mean, as plain decimals; null where it means one, or none. */
export function twoReadings(text: string, form: TypedForm): readonly [string, string] | null {
  const [one, other] = readingsOf(text, form)
  return one === undefined || other === undefined ? null : [one, other]
}

/** Fields take as many characters; a text that fills its field may have been cut, and is not read. */
export const TYPED_CHARACTERS = 60

const PLACES = { amount: 9, sum: 9, factor: 6, count: 0 } as const satisfies Record<TypedForm, number>
const MOST_DIGITS = 16

/** The mark that is the point where it is alone: the console writes it so. */
const POINT = '.'
const DECIMAL_MARKS = [POINT, ',', '\u066B']
const GROUP_MARKS = ['.', ',', "'", ' ', '_', '\u066C']

/** What a text means with each decimal mark and each mark between groups, each number once. */
function readingsOf(text: string, form: TypedForm): readonly string[] {
  const bare = bareNumber(text, form)
  if (bare === null) return []
  const decimals = form === 'count' ? [''] : ['', ...DECIMAL_MARKS]
  const found = decimals.flatMap((decimal) =>
    ['', ...GROUP_MARKS].flatMap((group) => {
      const parts = partsOf(bare.digits, { decimal, group })
      return parts === null ? [] : (plain(parts, PLACES[form]) ?? [])
    }),
  )
  const sign = bare.isNegative ? '-' : ''
  return [...new Set(found)].map((magnitude) => (magnitude === '0' ? magnitude : sign + magnitude))
}

interface NumberParts {
  readonly whole: string
  readonly fraction: string
}

/** The digits before and behind the decimal mark, if the text is written with these marks. `''` stands for none. */
function partsOf(digits: string, { decimal, group }: { decimal: string; group: string }): NumberParts | null {
  if (decimal === group && decimal !== '') return null
  const [written = '', fraction = '', ...more] = decimal === '' ? [digits] : digits.split(decimal)
  const hasMark = written.length < digits.length
  if (more.length > 0 || (decimal !== '' && !hasMark) || !/^\d*$/.test(fraction)) return null
  if (group === '') return /^\d*$/.test(written) && written + fraction !== '' ? { whole: written, fraction } : null
  const groups = written.split(group)
  const isGrouped = areThousands(groups) || (group === ',' && areLakhs(groups))
  const isLonePoint = group === POINT && groups.length === 2 && !hasMark
  return isGrouped && !isLonePoint ? { whole: groups.join(''), fraction } : null
}

/** `1`, `234`, `567` */
function areThousands([first = '', ...others]: readonly string[]): boolean {
  return /^[1-9]\d{0,2}$/.test(first) && others.length > 0 && others.every((each) => /^\d{3}$/.test(each))
}

/** `12`, `34`, `567`, as amounts are grouped in India. */
function areLakhs([first = '', ...others]: readonly string[]): boolean {
  const last = others.at(-1) ?? ''
  const between = others.slice(0, -1)
  return /^[1-9]\d?$/.test(first) && between.every((each) => /^\d{2}$/.test(each)) && /^\d{3}$/.test(last)
}

function plain({ whole, fraction }: NumberParts, places: number): string | null {
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  let end = fraction.length
  while (fraction[end - 1] === '0') end -= 1
  const rest = fraction.slice(0, end)
  if (digits.length > MOST_DIGITS || rest.length > places) return null
  return rest === '' ? digits : `${digits}.${rest}`
}

/** What programs put around a number without showing it. Not U+202E, which shows digits the other way round. */
const INVISIBLE = /[\u00AD\u061C\u200B-\u200F\u202A-\u202D\u2060\u2066-\u2069\uFEFF]/g
/** Marks beside which groups with spaces between them change places on the screen. */
const RIGHT_TO_LEFT = /[\u061C\u200F\u202B\u2067\u0660-\u0669]/
const MINUS = /[\u2010-\u2014\u2212\uFE63]/
const UNITS = {
  amount: String.raw`(?:US\s?\$|USD|\$|美元)`,
  sum: '(?!)',
  factor: '[×x]',
  count: '(?!)',
} as const satisfies Record<TypedForm, string>
/** Spaces of one line. */
const SPACES = String.raw` \u00A0\u2000-\u200A\u202F\u205F\u3000`
const DIGITS = String.raw`[\d.,](?:[\d.,'_${SPACES}\u066B\u066C]*[\d.,])?`

/** The digits with their marks, all of ASCII but Arabic marks; null: there is something else beside them. */
function bareNumber(text: string, form: TypedForm): { readonly digits: string; readonly isNegative: boolean } | null {
  if (text.length >= TYPED_CHARACTERS) return null
  const seen = asciiDigits(text.replace(INVISIBLE, ''))
    ?.replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u3002\uFF61]/g, POINT)
    .replace(/\u060C/g, ',')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(MINUS, '-')
    .trim()
  const unit = `(?:${UNITS[form]})?`
  const written = new RegExp(`^${unit}\\s*(?<sign>[-+]?)\\s*${unit}\\s*(?<digits>${DIGITS})\\s*${unit}$`, 'i')
  const { sign, digits } = written.exec(seen ?? '')?.groups ?? {}
  if (digits === undefined || (/\s/.test(digits) && RIGHT_TO_LEFT.test(text))) return null
  return { digits: digits.replace(/\s/g, ' '), isNegative: sign === '-' }
}

/** The zeros of scripts whose digits are read: ASCII, Arabic, Persian, Devanagari, Bengali, Thai, and full width. */
const ASCII_ZERO = 0x30
const ZEROS = [ASCII_ZERO, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]

/** Digits of one script as those of ASCII; null: there are two scripts, of which some digits look like others, or another. */
function asciiDigits(text: string): string | null {
  const scripts = new Set((text.match(/\p{Nd}/gu) ?? []).map(zeroOf))
  const [zero, ...others] = scripts
  if (zero === undefined || others.length > 0) return null
  return text.replace(/\p{Nd}/gu, (digit) => String.fromCharCode(digit.charCodeAt(0) - zero + ASCII_ZERO))
}

function zeroOf(digit: string): number | undefined {
  const code = digit.codePointAt(0) ?? 0
  return ZEROS.find((zero) => code >= zero && code < zero + 10)
}
