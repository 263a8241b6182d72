import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { cliHostByHand } from '../support/cli-host-by-hand.ts'
import { multiplier as multiplierOnWire, usdAmount, usdChange } from '../../src/contract/wire-values.ts'
import { checkedBody } from '../../src/control/api/checked-input.ts'
import { BOUNDS } from '../../src/core/bounds.ts'
import { runCommandLine } from '../../src/app/cli/command-line.ts'
import { multiplier, usd } from '../../src/app/declarative/fields.ts'
import { mustBe } from '../../src/core/must-be.ts'

/* Programs write plain decimals: another form is refused in a sentence with an example, and never read as another amount. */

const OTHERS = [
  ..."5,00|1,234.50|1.234,50|1 234.50|1'234.50|12,5|１２|١٢|$5|5 $|US$5|￥5|5e3|+5|.5|5.|1_000|5k| | 5|5 |−5".split(
    '|',
  ),
  ...'0x10|Infinity|NaN|5,'.split('|'),
  '',
  '5\n',
  '\u200B5',
]
/** Amounts as YAML reads them: a number has been through binary fractions, or through another notation. */
const IN_YAML = '5|5.00|0.1|5e3|0x10|0o17|.5|5.|+5|1_000|5,00|.inf|~|true|[5]'.split('|')

describe.each(OTHERS)('%j', (text) => {
  test('is refused as an amount and as a factor in the file, with an example', () => {
    for (const [schema, example] of [
      [usd(BOUNDS.key.quota_limit), '"2.50"'],
      [multiplier(BOUNDS.group.multiplier), '"0.85"'],
    ] as const) {
      const [issue] = schema.safeParse(text).error?.issues ?? []
      expect(mustBe(issue?.message ?? '')).toContain(example)
    }
  })

  test('is refused by the API, with an example', () => {
    for (const [schema, example] of [
      [usdAmount, '"12.50"'],
      [usdChange, '"12.50"'],
      [multiplierOnWire, '"0.8"'],
    ] as const) {
      expect(() => checkedBody(schema, text)).toThrow(example)
    }
  })

  test('is refused by a flag, with an example, before anything is opened', async () => {
    for (const words of [
      ['account', 'credit', '--email', 'ada@example.test', `--amount=${text}`],
      ['redeem-code', 'create', `--usd=${text}`],
    ]) {
      const { host, remarked } = cliHostByHand()
      expect(await runCommandLine(words, host), words.join(' ')).toBe(2)
      expect(remarked.join('')).toMatch(/such as "?(?:12\.50|2\.50)|needs a value/)
    }
  })
})

test.each(IN_YAML)('%s without quotes in the file is refused, with an example', (written) => {
  const [issue] = usd(BOUNDS.key.quota_limit).safeParse(parse(written)).error?.issues ?? []
  expect(issue?.message).toContain('in quotes such as "2.50"')
})

test.each([5, 0.1, null, true, {}, ['5']])('%j is refused by the API as an amount, with an example', (value) => {
  expect(() => checkedBody(usdAmount, value)).toThrow('like "12.50"')
})
