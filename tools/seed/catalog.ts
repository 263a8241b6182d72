import { firstIdAt } from '../../src/core/ids.ts'
import { nanoUsd, partsPerMillion, type PartsPerMillion, parseUsd } from '../../src/core/money.ts'
import type { TokenPrices } from '../../src/core/prices.ts'
import type { SeedTarget } from './seed-target.ts'

export interface SeedModel {
  readonly name: string
  readonly prices: TokenPrices
}

export interface SeedGroup {
  readonly id: string
  readonly name: string
  readonly multiplier: PartsPerMillion
}

/** The further back, the rarer: see `skewed`. */
export const MODELS: readonly SeedModel[] = Array.from({ length: 12 }, (_, index) => ({
  name: `seeded/model-${index + 1}`,
  prices: {
    input: parseUsd(`${1 + index}.5`),
    output: parseUsd(`${6 + 2 * index}`),
    cacheRead: nanoUsd(parseUsd(`${1 + index}.5`) / 10n),
    cacheWrite: null,
    cacheWrite1h: null,
    other: null,
    units: null,
  },
}))

export const GROUPS: readonly SeedGroup[] = [
  ['default', 1_000_000n],
  ['seeded-saver', 850_000n],
  ['seeded-fast', 1_500_000n],
].map(([name, multiplier], index) => ({
  id: `${firstIdAt('grp', 1_700_000_000_000)}seeded000000000${index}`,
  name: String(name),
  multiplier: partsPerMillion(BigInt(multiplier ?? 1n)),
}))

/** Writes the groups and models that the records name. A group that is there by name stays as it is. */
export async function seedCatalog(target: SeedTarget): Promise<void> {
  await target.load(
    'groups',
    GROUPS.map(({ id, name, multiplier }) => {
      return { id, name, multiplier_ppm: multiplier, models_json: '["*"]', is_enabled: 1, is_open: 1, is_managed: 0 }
    }),
  )
  await target.load(
    'models',
    MODELS.map(({ name, prices }, index) => ({
      id: `${firstIdAt('mdl', 1_700_000_000_000)}seeded0000000${100 + index}`,
      name,
      price_input_nano: prices.input,
      price_output_nano: prices.output,
      price_cache_read_nano: prices.cacheRead,
      targets_json: '[]',
      created_at: 1_700_000_000_000,
      is_managed: 0,
    })),
  )
}
