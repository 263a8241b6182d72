import type { RateLimitView } from '../../src/contract/keys.ts'
import type { CountField } from './count-field.ts'
import { plural } from './plural.ts'

type SpendWindow = RateLimitView['spend'][number]['window']

const windows: Readonly<Record<SpendWindow, string>> = { '5h': '5 hours', '1d': 'day', '7d': '7 days' }

export const keyEn = {
  detail: {
    back: 'All keys',
    missing: 'This key doesn’t exist, or it was deleted.',
    limits: 'Limits',
    noLimits: 'No quota or rate limit is set on this key. Your balance and the limits of your account apply.',
    counted: {
      concurrency: 'Concurrent requests',
      requests_per_minute: 'Requests in the last minute',
      tokens_per_minute: 'Tokens in the last minute',
    } satisfies Record<CountField, string>,
    of: (used: string, limit: string) => `${used} of ${limit}`,
    quota: 'Quota',
    window: (window: SpendWindow) => `Spending per ${windows[window]}`,
    resets: (when: string) => `Resets ${when}`,
    pace: (days: number, date: string) =>
      days === 0
        ? 'At the pace of the last 7 days it runs out within a day.'
        : plural(days, {
            one: `At the pace of the last 7 days: 1 day left, until ${date}.`,
            other: `At the pace of the last 7 days: ${days} days left, until ${date}.`,
          }),
    paceEnough: 'At the pace of the last 7 days it lasts until the reset.',
    paceYears: 'At the pace of the last 7 days it lasts for more than a year.',
    opens: 'Starts with the next charge',
    use: 'Usage',
    today: 'Today',
    days: 'Last 30 days',
    ever: 'All time',
    lastClient: 'Last client',
    lastModel: 'Last model',
    lastAddress: 'Last address',
    figures: (cost: string, requests: string) => `${cost} · ${requests}`,
    requestCount: (count: number, shown: string) => plural(count, { one: '1 request', other: `${shown} requests` }),
    requests: 'Latest requests',
    failed: 'Latest errors',
    noRequests: 'No requests yet.',
    noFailed: 'None.',
    allRequests: 'All requests',
    setUp: 'Set up and test',
    facts: 'Settings',
    allAddresses: 'any',
    history: 'History',
    noHistory: 'No changes through the console or the API.',
    actions: {
      'key.create': 'Created',
      'key.update': 'Changed',
      'key.rotate': 'Secret rotated',
      'key.enable': 'Enabled',
      'key.disable': 'Disabled',
      'key.delete': 'Deleted',
    } as Readonly<Record<string, string>>,
    fields: {
      name: 'Name',
      status: 'Status',
      group: 'Group',
      fallback_groups: 'Fallback groups',
      quota_limit: 'Quota',
      quota_reset: 'Quota resets',
      rate_limit: 'Rate limits',
      concurrency: 'concurrent requests',
      requests_per_minute: 'requests per minute',
      tokens_per_minute: 'tokens per minute',
      spend: 'spending limit',
      window: 'per',
      usd: '',
      expires_at: 'Expires',
      allowed_models: 'Allowed models',
      allowed_ips: 'Allowed IP addresses',
      response_cache: 'Response cache',
      tags: 'Tags',
      secret_end: 'Last four characters',
      overlap_ends_at: 'Previous secret works until',
    } as Readonly<Record<string, string>>,
    windows: windows as Readonly<Record<string, string>>,
    byYou: (address: string) => `by you, from ${address}`,
    byAdmin: 'by an admin',
  },
  message: {
    title: 'Test message',
    model: 'Model',
    send: 'Send a test message',
    about: (model: string) => `Asks ${model} for one word, with this key.`,
    price: (most: string, tokens: number) => `It’s a real request: ${most} at most, for up to ${tokens} tokens.`,
    answered: (model: string) => `${model} answered`,
    tokens: (input: string, output: string) => `${input} tokens in, ${output} out`,
    record: 'View request',
    stopped: (stage: string, what: string) => `Stopped ${stage}: ${what}`,
    noAnswer: 'no answer in time',
    stages: {
      key: 'at the key',
      model: 'at the model',
      funds: 'at the limits',
      gateway: 'in the gateway',
      provider: 'at the provider',
      answered: 'at the end',
    },
    clientGets: (message: string) => `A client would get: “${message}”`,
  },
}

export type KeyTexts = typeof keyEn
