/** Plans for configurations that a test writes, beside files that they include. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Acceptable, ImportPlan, ImportSettings } from '../../../src/import/import-plan.ts'
import { type BesideConfig, readLitellm } from '../../../src/import/litellm/read-litellm.ts'

export type PlanFor = Partial<Omit<ImportSettings, 'accepted'> & BesideConfig> & {
  readonly accepted?: readonly Acceptable[]
  /** Other files, by their paths from that of the configuration. */
  readonly files?: Readonly<Record<string, string>>
}

/** `config`: as YAML, or as a value. */
export function planFor(
  config: string | object,
  { accepted = [], files = {}, ...about }: PlanFor = {},
): Promise<ImportPlan> {
  const text = typeof config === 'string' ? config : JSON.stringify(config)
  const folder = mkdtempSync(join(tmpdir(), 'litellm-config-'))
  const path = join(folder, 'config.yaml')
  for (const [name, content] of Object.entries({ 'config.yaml': text, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const standard = { negative: null, admins: 'keep', pricing: null, oidcIssuer: null, nowMs: 0 } as const
  const beside = { environment: {}, variables: null, database: null } as const
  return readLitellm({ text, path }, { ...standard, ...beside, ...about, accepted: new Set(accepted) })
}

/** The plan for one deployment, which serves `m`, with the variables that its provider reads its key from. */
export async function deployed(params: object, { info = {}, ...about }: PlanFor & { readonly info?: object } = {}) {
  const plan = await planFor({ model_list: [{ model_name: 'm', litellm_params: params, model_info: info }] }, about)
  const [upstream] = plan.upstreams
  const [target] = plan.models[0]?.targets ?? []
  return { plan, upstream, target, credential: upstream?.credentials[0], said: saidIn(plan) }
}

/** What the report says beside the objects, a line each. */
export function saidIn({ notes }: Pick<ImportPlan, 'notes'>): string {
  return notes.map(({ table, ids, what }) => `${table} ${ids.join(', ')}: ${what}`).join('\n')
}
