import { parseMultiplier, parseUsd } from '../../src/core/money.ts'

const APART = { cacheRead: parseUsd('0.000000001'), cacheWrite: null, cacheWrite1h: null, other: null }
const LONG = { ...APART, input: parseUsd('5'), output: parseUsd('9000000000') }

/** All that changes a price, and fees for calls. */
export const RULES = {
  rules: {
    lengthTiers: [{ aboveInputTokens: 272_000, prices: { ...LONG, cacheWrite1h: parseUsd('7') } }],
    serviceTiers: new Map([
      ['flex', { kind: 'factor' as const, factor: parseMultiplier('0.5') }],
      [
        'priority',
        {
          kind: 'prices' as const,
          prices: { ...LONG, other: { audioInput: parseUsd('1'), imageInput: null, audioOutput: null } },
          lengthTiers: [{ aboveInputTokens: 1, prices: LONG }],
        },
      ],
    ]),
    geoFactors: new Map([['us', parseMultiplier('1.1')]]),
  },
  calls: { web_search: parseUsd('10000'), maps_grounding: parseUsd('0') },
}
