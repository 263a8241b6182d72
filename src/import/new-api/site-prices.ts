import { type Rational, numbersIn } from '../rational.ts'
import { entriesOf } from '../source.ts'

/** The ratios by which the source charges, by the names of its options, and as its answers call them. */
export const RATIOS = {
  ModelRatio: 'model_ratio',
  CompletionRatio: 'completion_ratio',
  CacheRatio: 'cache_ratio',
  CreateCacheRatio: 'create_cache_ratio',
  ImageRatio: 'image_ratio',
  AudioRatio: 'audio_ratio',
  AudioCompletionRatio: 'audio_completion_ratio',
} as const
export type RatioName = keyof typeof RATIOS
/** The mode of a model whose price is an expression. */
export const BY_EXPRESSION = 'tiered_expr'

/** What a running site says that it charges, which is more than its database has. */
interface SitePrices {
  /** Whether the site says what is charged for each model, what is built in too. false: its tables, which have only what is set. */
  readonly isComputed: boolean
  /** Ratios by model. null: the site does not say them at all; one that says them leaves out models that have the standard. */
  readonly ratios: Readonly<Record<RatioName, ReadonlyMap<string, Rational> | null>>
  /** USD a request. */
  readonly fixed: ReadonlyMap<string, Rational>
  /** Expressions of models that are priced by one. */
  readonly expressions: ReadonlyMap<string, string>
}

/** The answer of `GET /api/pricing` or `GET /api/ratio_config`; null for anything else. */
export function readSitePrices(answer: unknown): SitePrices | null {
  const data = Object.fromEntries(entriesOf(answer))['data']
  if (Array.isArray(data)) return ofModels(data.map((each) => Object.fromEntries(entriesOf(each))))
  const maps = Object.fromEntries(entriesOf(data))
  if (maps[RATIOS.ModelRatio] === undefined) return null
  const expressions = new Map(entriesOf(maps['billing_expr']))
  return {
    isComputed: false,
    ratios: eachRatio((field) => (maps[field] === undefined ? null : numbersIn(entriesOf(maps[field])))),
    fixed: numbersIn(entriesOf(maps['model_price'])),
    expressions: expressionsOf(
      entriesOf(maps['billing_mode']).map(([name, mode]) => [name, mode, expressions.get(name)]),
    ),
  }
}

/** `quota_type` 1: for each request, whatever its ratios say. */
function ofModels(models: readonly Readonly<Record<string, unknown>>[]): SitePrices {
  const read = (field: string, quotaType: number) =>
    numbersIn(
      models.flatMap((model) =>
        model['quota_type'] === quotaType ? [[String(model['model_name']), model[field]] as const] : [],
      ),
    )
  // What the version of the site knows nothing of stands at none of its models.
  const says = (field: string) => models.some((model) => typeof model[field] === 'number')
  return {
    isComputed: true,
    ratios: eachRatio((field) => (says(field) ? read(field, 0) : null)),
    fixed: read('model_price', 1),
    expressions: expressionsOf(
      models.map((model) => [String(model['model_name']), model['billing_mode'], model['billing_expr']]),
    ),
  }
}

function expressionsOf(
  models: readonly (readonly [name: string, mode: unknown, expression: unknown])[],
): ReadonlyMap<string, string> {
  return new Map(
    models.flatMap(([name, mode, expression]) =>
      mode === BY_EXPRESSION && typeof expression === 'string' ? [[name, expression] as const] : [],
    ),
  )
}

function eachRatio<T>(read: (field: string) => T): Readonly<Record<RatioName, T>> {
  return Object.fromEntries(Object.entries(RATIOS).map(([name, field]) => [name, read(field)])) as Record<RatioName, T>
}
