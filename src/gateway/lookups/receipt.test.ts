import { describe, expect, test } from 'vitest'
import type { KeyWithOwner } from '../../access/api-key.ts'
import { UNSET } from '../../access/key-settings.ts'
import { newId } from '../../core/ids.ts'
import { nanoUsd, parseMultiplier, parseUsd } from '../../core/money.ts'
import { NO_TOKENS } from '../../core/tokens.ts'
import { SettleQueue } from '../../metering/settle/settle-queue.ts'
import type { KeptSince } from '../../metering/usage/retention.ts'
import type { UsageRecord } from '../../metering/usage/usage-record.ts'
import { findReceipt, type ReceiptParts, receiptOf } from './receipt.ts'
import { RunningRequests } from '../running-requests.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const ID = 'req_' + '0'.repeat(26)
const clock = { now: () => NOON, elapsed: () => 0 }

const CALLER: KeyWithOwner = {
  key: {
    id: 'key_1',
    accountId: 'acc_1',
    name: 'laptop',
    groupId: 'grp_1',
    fallbackGroupIds: [],
    status: 'active',
    statusChangedAt: NOON,
    ...UNSET,
    secretStart: 'sk-tg-abcd',
    secretEnd: 'wxyz',
    overlap: null,
    createdAt: NOON,
    isManaged: false,
  },
  account: {
    id: 'acc_1',
    email: 'ada@example.test',
    role: 'user',
    status: 'active',
    createdAt: NOON,
    isManaged: false,
  },
  subscriptions: [
    {
      id: 'sub_1',
      accountId: 'acc_1',
      planId: 'pln_1',
      planName: 'pro',
      groupIds: ['grp_1'],
      opensGroups: true,
      quotas: [],
      startsAt: NOON,
      endsAt: NOON + 1,
      cancelledAt: null,
      createdAt: NOON,
    },
  ],
}

const RECORD: UsageRecord = {
  id: ID,
  createdAt: NOON,
  accountId: 'acc_1',
  keyId: 'key_1',
  keyName: 'laptop',
  groupId: 'grp_1',
  groupName: 'default',
  model: 'gpt-5.5',
  upstreamName: 'secret-upstream',
  upstreamModel: 'secret-model',
  credentialName: 'secret-credential',
  wire: 'openai-chat',
  isStream: true,
  outcome: 'completed',
  fault: null,
  httpStatus: 200,
  tokens: { ...NO_TOKENS, input: 1_000, cacheRead: 0, output: 20, reasoning: 5 },
  usageSource: 'reported',
  isCapped: false,
  usageNotes: [],
  terms: null,
  prices: {
    input: parseUsd('2.5'),
    output: parseUsd('10'),
    cacheRead: parseUsd('0.25'),
    cacheWrite: null,
    cacheWrite1h: null,
    other: null,
    units: null,
  },
  multiplier: parseMultiplier('1.5'),
  cost: parseUsd('0.00405'),
  balancePaid: parseUsd('0.00305'),
  providerCost: null,
  subscriptionsPaid: [
    { subscriptionId: 'sub_1', paid: parseUsd('0.0009') },
    { subscriptionId: 'sub_gone', paid: parseUsd('0.0001') },
  ],
  routeTrace: null,
  faultFacts: null,
  limitsLeft: null,
  deviceSecret: null,
  attempts: [
    { upstreamName: 'secret-upstream', model: 'secret-model', fault: 'upstream_overloaded', status: 503, totalMs: 4 },
    { upstreamName: 'secret-upstream', model: 'secret-model', fault: null, status: 200, totalMs: 90 },
  ],
  client: 'OpenAI/JS 7.55.0',
  firstByteMs: 30,
  totalMs: 96,
}

test('a receipt holds all that the charge is computed from', () => {
  expect(receiptOf(RECORD, CALLER)).toEqual({
    id: ID,
    created_at: '2026-11-21T12:00:00.000Z',
    outcome: 'completed',
    fault: null,
    http_status: 200,
    model: 'gpt-5.5',
    group: 'default',
    protocol: 'openai-chat',
    is_stream: true,
    client: 'OpenAI/JS 7.55.0',
    tokens: { input: 1_000, cache_read: 0, cache_write: null, cache_write_1h: null, output: 20, reasoning: 5 },
    usage_source: 'reported',
    is_capped: false,
    usage_notes: [],
    prices: { input: '2.5', cache_read: '0.25', cache_write: '2.5', cache_write_1h: '2.5', output: '10' },
    multiplier: '1.5',
    cost: '0.00405',
    funding: {
      balance: '0.00305',
      subscriptions: [
        { id: 'sub_1', plan_name: 'pro', paid: '0.0009' },
        { id: 'sub_gone', plan_name: null, paid: '0.0001' },
      ],
    },
    attempts: [
      { number: 1, status: 503, fault: 'upstream_overloaded', duration_ms: 4 },
      { number: 2, status: 200, fault: null, duration_ms: 90 },
    ],
    timings: { first_byte_ms: 30, total_ms: 96 },
  })
})

test('a receipt names no upstream, nor what the model is called there', () => {
  expect(JSON.stringify(receiptOf(RECORD, CALLER))).not.toContain('secret')
})

test('audio and images are listed with the prices they were charged at', () => {
  const tokens = { ...RECORD.tokens, other: { audioInput: 7, imageInput: 0, audioOutput: 3 } }
  const receipt = receiptOf({ ...RECORD, tokens }, CALLER)
  expect(receipt).toMatchObject({
    tokens: { audio_input: 7, image_input: 0, audio_output: 3 },
    prices: { audio_input: '2.5', image_input: '2.5', audio_output: '10' },
  })
})

test('a refused request has a receipt as well: it cost nothing', () => {
  const refused: UsageRecord = {
    ...RECORD,
    outcome: 'refused',
    fault: 'balance_exhausted',
    httpStatus: 402,
    tokens: NO_TOKENS,
    usageSource: 'none',
    prices: null,
    multiplier: null,
    cost: nanoUsd(0n),
    balancePaid: nanoUsd(0n),
    subscriptionsPaid: [],
    attempts: [],
  }
  expect(receiptOf(refused, CALLER)).toMatchObject({
    fault: 'balance_exhausted',
    prices: null,
    multiplier: null,
    cost: '0',
    funding: { balance: '0', subscriptions: [] },
    attempts: [],
  })
})

describe('a receipt is found', () => {
  test('when it is in the books', async () => {
    expect(await findReceipt(ID, CALLER, books(RECORD).parts)).toEqual({
      kind: 'ended',
      body: receiptOf(RECORD, CALLER),
    })
  })

  test('when it is on its way into the books', async () => {
    const { parts, queue } = books(null)
    queue.push({ record: RECORD, charges: [] })
    expect(await findReceipt(ID, CALLER, parts)).toMatchObject({ kind: 'ended', body: { id: ID } })
  })

  test('as far as it is known while the request runs', async () => {
    const { parts, running } = books(null)
    running.add(aRunning(ID, CALLER))
    expect(await findReceipt(ID, CALLER, parts)).toEqual({
      kind: 'pending',
      body: {
        id: ID,
        created_at: '2026-11-21T12:00:00.000Z',
        outcome: null,
        model: 'gpt-5.5',
        group: 'default',
        protocol: 'openai-chat',
        is_stream: true,
        client: null,
      },
    })
  })

  test('by no other key, in the words for an unknown id', async () => {
    const another: KeyWithOwner = { ...CALLER, key: { ...CALLER.key, id: 'key_2' } }
    const { parts, running } = books(RECORD)
    const ofUnknown = await findReceipt('req_' + '1'.repeat(26), CALLER, parts).catch((error: unknown) => error)
    expect(ofUnknown).toMatchObject({ code: 'path_unknown' })
    await expect(findReceipt(ID, another, parts)).rejects.toEqual(ofUnknown)
    running.add(aRunning('req_' + '2'.repeat(26), CALLER))
    await expect(findReceipt('req_' + '2'.repeat(26), another, parts)).rejects.toEqual(ofUnknown)
  })

  test('by nothing but an id, and no store is asked for anything else', async () => {
    const { parts, asked } = books(RECORD)
    for (const id of ['', 'key_1', ID + '0', ID.toUpperCase(), "req_' or 1=1 --"]) {
      await expect(findReceipt(id, CALLER, parts)).rejects.toMatchObject({ code: 'path_unknown' })
    }
    expect(asked).toEqual([])
  })

  test('no more once it is older than what is kept, which its ID says, whosever it was', async () => {
    const kept = { recordsMs: NOON, refusalsMs: NOON + 86_400_000 }
    const another: KeyWithOwner = { ...CALLER, key: { ...CALLER.key, id: 'key_2' } }
    const messageOf = async (id: string, caller = CALLER, held: UsageRecord | null = null) => {
      const fault = await findReceipt(id, caller, books(held, kept).parts).catch((error: unknown) => error)
      expect(fault).toMatchObject({ code: 'path_unknown' })
      return (fault as Error).message
    }
    const old = newId('req', NOON - 1)
    expect(await messageOf(old)).toContain('older than what is kept: receipts are kept since 2026-11-21')
    expect(await messageOf(old, another, { ...RECORD, id: old })).toBe(await messageOf(old))
    expect(await messageOf(newId('req', NOON))).toContain('refusals that cost nothing are kept since 2026-11-22')
    expect(await messageOf(newId('req', NOON + 86_400_000))).not.toContain('kept since')
  })

  test('or the caller learns that the books cannot be read', async () => {
    const { parts } = books(new Error('disk'))
    await expect(findReceipt(ID, CALLER, parts)).rejects.toMatchObject({ code: 'store_unavailable' })
  })
})

function books(held: UsageRecord | Error | null, kept: KeptSince = { recordsMs: null, refusalsMs: null }) {
  const asked: string[] = []
  const records = new Map<string, UsageRecord>()
  if (held !== null && !(held instanceof Error)) records.set(held.id, held)
  const queue = new SettleQueue({
    clock,
    onError: () => {},
    store: {
      settle: async (batch) => {
        for (const { record } of batch) records.set(record.id, record)
        return { overruns: 0 }
      },
    },
  })
  const running = new RunningRequests()
  const parts: ReceiptParts = {
    settleQueue: queue,
    running,
    usage: {
      record: async (id) => {
        asked.push(id)
        if (held instanceof Error) throw held
        return records.get(id) ?? null
      },
      totalsOfKey: () => Promise.reject(new Error('not expected to be asked for')),
      keptSince: async () => kept,
    },
  }
  return { parts, queue, running, asked }
}

function aRunning(id: string, caller: KeyWithOwner) {
  return {
    id,
    caller,
    startedAt: 0,
    describe: () => ({
      id,
      createdAt: NOON,
      accountId: 'acc_1',
      keyId: caller.key.id,
      keyName: 'laptop',
      groupId: 'grp_1',
      groupName: 'default',
      model: 'gpt-5.5',
      wire: 'openai-chat' as const,
      isStream: true,
      client: null,
    }),
    tick: () => {},
    cut: () => {},
  }
}
