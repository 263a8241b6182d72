import { describe, expect, test } from 'vitest'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { texts as keysEn } from '../../../dictionaries/keys-en.ts'
import { texts as keysZhCn } from '../../../dictionaries/keys-zh-cn.ts'
import { formatMoney } from '../../../format/money.ts'
import { formatNumber } from '../../../format/number.ts'
import { formatDate } from '../../../format/time.ts'
import type { Format } from '../../../format/use-format.ts'
import { newDraft, type KeyDraft } from './key-draft.ts'
import { summaryFacts } from './key-summary.ts'

const NOW_MS = Date.parse('2026-11-21T08:30:00Z')
const draft = newDraft('laptop', 'default')
const groups = [
  { name: 'default', multiplier: '1', model_count: 12 },
  { name: 'pro', multiplier: '1.25', model_count: 1 },
] as GroupView[]

function said(change: Partial<KeyDraft>, language: 'en' | 'zh-CN' = 'en'): string {
  const format = {
    money: (amount: string) => formatMoney(amount, language),
    number: (count: number) => formatNumber(count, language),
    date: (time: string) => formatDate(time, language),
  } as Format
  const texts = language === 'en' ? keysEn : keysZhCn
  return texts.summary(summaryFacts({ ...draft, ...change }, groups, { nowMs: NOW_MS, format }))
}

describe('the sentence about a key', () => {
  test('says what a plain one may do', () => {
    expect(said({})).toBe(
      '“laptop” can call all 12 models in default. It never expires and can spend your whole balance.',
    )
    expect(said({}, 'zh-CN')).toBe('“laptop”可调用分组 default 的全部 12 个模型。永久有效，消费仅受余额限制。')
  })

  test('names price, fallback groups, end, quota, limits and addresses', () => {
    const change: Partial<KeyDraft> = {
      group: 'pro',
      fallbackGroups: ['default'],
      validity: { kind: 'days', days: 7 },
      quotaLimit: '20',
      quotaReset: 'monthly',
      counts: { concurrency: '5', requests_per_minute: '60', tokens_per_minute: '' },
      spend: { '5h': '2.5', '1d': '', '7d': '' },
      allowedIps: '10.0.0.1\n10.0.0.2',
      isCustom: true,
    }
    expect(said(change)).toBe(
      '“laptop” can call the one model in pro at 1.25× the price, and falls back to default. It is valid until Nov 28, 2026 and can spend up to $20.00 a month. Limited to 5 concurrent requests, 60 requests per minute, and $2.50 per 5 hours. Works only from 2 IP addresses or ranges. It uses your own secret.',
    )
    expect(said(change, 'zh-CN')).toContain('每月最多消费 $20.00')
    expect(said(change, 'zh-CN')).toContain('限制：最多 5 个并发、每分钟 60 次请求、每 5 小时 $2.50。')
  })

  test('names two chosen models and counts more', () => {
    expect(said({ allowedModels: ['a', 'b'] })).toContain('can call a and b in default.')
    expect(said({ allowedModels: ['a', 'b', 'c'] })).toContain('can call 3 selected models in default.')
  })

  test('leaves out what cannot be read yet', () => {
    const half = said({
      name: '',
      group: '',
      quotaLimit: '1,234',
      counts: { concurrency: 'x', requests_per_minute: '', tokens_per_minute: '' },
      validity: { kind: 'date', date: '' },
    })
    expect(half).toBe(
      'This key can call the models of the group you choose. It is valid until – and can spend up to – in total.',
    )
  })

  test.each([
    ['monthly', '2026-12-04', '$10.00'],
    ['monthly', '2026-11-30', null],
    ['weekly', '2026-11-22', null],
    ['weekly', '2026-11-23', '$10.00'],
    ['daily', '2026-11-23', '$15.00'],
    ['never', '2027-11-23', null],
  ] as const)('of $5 %s until %s, %s can be spent before it expires', (quotaReset, date, inAll) => {
    const sentence = said({ quotaLimit: '5', quotaReset, validity: { kind: 'date', date } })
    if (inAll === null) expect(sentence).not.toContain('before it expires')
    else expect(sentence).toContain(`, ${inAll} before it expires.`)
  })
})
