import { describe, expect, test } from 'vitest'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { keysEn } from '../../../dictionaries/keys-en.ts'
import { keysZhCn } from '../../../dictionaries/keys-zh-cn.ts'
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
      '“laptop” may call all 12 models of default. It is valid until you delete it and may spend as much as the balance holds.',
    )
    expect(said({}, 'zh-CN')).toBe('“laptop”可调用分组 default 的全部 12 个模型。长期有效，消费只受余额限制。')
  })

  test('names price, fallback groups, end, quota, limits and addresses', () => {
    const change: Partial<KeyDraft> = {
      group: 'pro',
      fallbackGroups: ['default'],
      validity: { kind: 'days', days: 7 },
      quotaLimit: '20',
      concurrency: '5',
      requestsPerMinute: '60',
      spend: { '5h': '2.5', '1d': '', '7d': '' },
      allowedIps: '10.0.0.1\n10.0.0.2',
      isCustom: true,
    }
    expect(said(change)).toBe(
      '“laptop” may call the one model of pro at 1.25 times the price, with default to fall back on. It is valid until Nov 28, 2026 and may spend up to $20.00 a month. Limited to 5 at once, 60 requests a minute, and $2.50 per 5 hours. Usable from 2 addresses only. Its secret is the one you write.',
    )
    expect(said(change, 'zh-CN')).toContain('每月最多消费 $20.00')
    expect(said(change, 'zh-CN')).toContain('限制：最多 5 个并发、每分钟 60 次请求、每 5 小时 $2.50。')
  })

  test('names two chosen models and counts more', () => {
    expect(said({ allowedModels: ['a', 'b'] })).toContain('may call a and b in default.')
    expect(said({ allowedModels: ['a', 'b', 'c'] })).toContain('may call 3 chosen models in default.')
  })

  test('leaves out what cannot be read yet', () => {
    const half = said({ name: '', group: '', quotaLimit: '1.', concurrency: 'x', validity: { kind: 'date', date: '' } })
    expect(half).toBe(
      'This key may call the models of a group that you have yet to choose. It is valid until you delete it and may spend as much as the balance holds.',
    )
  })
})
