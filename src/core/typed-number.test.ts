import { describe, expect, test } from 'vitest'
import { readTyped, twoReadings, TYPED_CHARACTERS, type TypedForm } from './typed-number.ts'

interface Case {
  readonly text: string
  /** The number that it means; null: it is refused; two: it is refused with both. */
  readonly means: string | null | readonly [string, string]
  /** The project and the report of someone whose amount became another. */
  readonly from?: string
}

const AMOUNTS: readonly Case[] = [
  { text: '5', means: '5' },
  { text: '5,00', means: '5' },
  { text: '12,5', means: '12.5' },
  { text: '1,23', means: '1.23', from: 'ing-bank/lion#1731' },
  { text: '9,99', means: '9.99', from: 'dannymcc/may#237' },
  { text: '0,75', means: '0.75', from: 'jagduvi1/Cellarion#437' },
  { text: '1,234.50', means: '1234.5' },
  { text: '1.234,56', means: '1234.56', from: 'jagduvi1/Cellarion#437' },
  { text: '1.000,000', means: '1000', from: 'opensanctions/followthemoney#340' },
  { text: '100.000.000', means: '100000000', from: 'salte-io/ng-currency#149' },
  { text: '1,234,234,234', means: '1234234234', from: 'facebook/astryx#5450' },
  { text: '12,34,567.50', means: '1234567.5', from: 'opensanctions/followthemoney#340' },
  { text: '1 234,50', means: '1234.5' },
  { text: '1\u00A0234,50', means: '1234.5' },
  { text: '1\u202F234,50', means: '1234.5' },
  { text: '1\u2009234\u2009567', means: '1234567' },
  { text: '1 234,567', means: '1234.567' },
  { text: "1'234.56", means: '1234.56', from: 'microsoft/calculator#145' },
  { text: '1’234.50', means: '1234.5' },
  { text: '1_000', means: '1000' },
  { text: '1234,567', means: '1234.567' },
  { text: '1,234', means: ['1234', '1.234'], from: 'ambassify/parse-js#42' },
  { text: '$1,000', means: ['1000', '1'] },
  { text: '12,345', means: ['12345', '12.345'] },
  { text: '0,234', means: '0.234' },
  { text: '1.234', means: '1.234', from: 'dm4t2/vue-currency-input#102' },
  { text: '1,2345', means: '1.2345' },
  { text: '.5', means: '0.5' },
  { text: '5.', means: '5' },
  { text: '007.10', means: '7.1' },
  { text: '+5', means: '5' },
  { text: '-5', means: '-5' },
  { text: '−5', means: '-5' },
  { text: '－5', means: '-5' },
  { text: '-0', means: '0' },
  { text: '１２．５', means: '12.5' },
  { text: '９，９９９，９９９', means: '9999999', from: 'autoNumeric/autoNumeric#682' },
  { text: '１２。５', means: '12.5' },
  { text: '١٢٫٥', means: '12.5' },
  { text: '١٬٢٣٤', means: '1234' },
  { text: '۱۲۳', means: '123' },
  { text: '१२,५', means: '12.5' },
  { text: '$5', means: '5' },
  { text: '$ 12.50', means: '12.5' },
  { text: '5 $', means: '5' },
  { text: 'US$5', means: '5' },
  { text: '5 usd', means: '5' },
  { text: '＄５', means: '5' },
  { text: '5 美元', means: '5' },
  { text: '-$5', means: '-5' },
  { text: ' 5\u200B ', means: '5' },
  { text: '\u202D12.50\u202C', means: '12.5' },
  { text: '\uFEFF5', means: '5' },
  { text: '0.123456789', means: '0.123456789' },
  { text: '5.0000000000000', means: '5' },
  ...refused(' |.|,|-|$|abc|NaN|Infinity|0x10|5e3|5k|5%|5万|一百|½|5½|5²|①|1 2|1  234|12 .50|1,2,3|12,34.5|1.2,3.4'),
  ...refused('1 234,567.5|1,234,56|1.23.456|1234,567.5|--5|5-|(5)|1-2|5/2|0.1234567891|12345678901234567|৪1|१2|１2|৪²'),
  // Another currency is another amount; a turned text is shown as another one.
  ...refused('￥5|¥5|€5|5 元|CA$5|HK$5|R$5|\u202E12|\u200F1 234|١ ٢٣٤|1\n234'),
  { text: '', means: null },
  { text: '35€', means: null, from: 'invoiceninja/invoiceninja#2853' },
  { text: 'ー5', means: null, from: 'whatwg/html#11616' },
]

const COUNTS: readonly Case[] = [
  { text: '60', means: '60' },
  { text: '200,000', means: '200000', from: 'commercetools/ui-kit#538' },
  { text: '200 000', means: '200000' },
  { text: '1.234.567', means: '1234567' },
  { text: '６０', means: '60' },
  { text: '007', means: '7' },
  ...refused('200.000|5,00|60.0|5.|1,5|$5|×2|1e3|1e9|5k'),
]

const FACTORS: readonly Case[] = [
  { text: '0,85', means: '0.85' },
  { text: '×0.8', means: '0.8' },
  { text: '1.5x', means: '1.5' },
  { text: '1,125', means: ['1125', '1.125'] },
  ...refused('$2|60%|0.1234567|倍'),
]

const SUMS: readonly Case[] = [
  { text: '12,50', means: '12.5' },
  { text: '1.000.000', means: '1000000' },
  ...refused('$5|€5|US$ 5'),
]

describe.each([
  ['amount', AMOUNTS],
  ['count', COUNTS],
  ['factor', FACTORS],
  ['sum', SUMS],
] as const satisfies readonly (readonly [TypedForm, readonly Case[]])[])('as %s', (form, cases) => {
  test.each(cases)('$text means $means, and never another number', ({ text, means }) => {
    const isOne = typeof means === 'string'
    expect(readTyped(text, form)).toBe(isOne ? means : null)
    expect([...(twoReadings(text, form) ?? [])].sort()).toEqual(isOne || means === null ? [] : [...means].sort())
  })
})

test('what is read is read as the same number again, however it is written', () => {
  const random = seeded(7)
  for (let round = 0; round < 2_000; round++) {
    const cents = Math.floor(random() * 10 ** (1 + Math.floor(random() * 10)))
    const plain = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
    const locale = ['en', 'de', 'fr', 'de-CH', 'en-IN', 'ar-EG', 'fa', 'hi', 'pl', 'es'][round % 10]
    const written = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(plain as `${number}`)
    expect(readTyped(written, 'amount'), `${locale}: ${written}`).toBe(String(cents / 100))
  }
})

test('a text that may have been cut by its field is not read', () => {
  expect(readTyped('5'.padStart(TYPED_CHARACTERS - 1), 'amount')).toBe('5')
  expect(readTyped('5'.padStart(TYPED_CHARACTERS), 'amount')).toBeNull()
})

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

function refused(texts: string): readonly Case[] {
  return texts.split('|').map((text): Case => ({ text, means: null }))
}
