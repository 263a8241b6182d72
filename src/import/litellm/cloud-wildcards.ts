import { providerOf } from './provider-table.ts'
import { textIn } from './places.ts'
import type { Deployment } from './read-config.ts'
import { isWildcard, listedNames, type WildcardsAbout } from './wildcards.ts'

/** One model of those that a name with `*` stands for at a cloud. */
export interface CloudModel extends Deployment {
  /** The name with `*` that it comes from. */
  readonly pattern: string
}

/**
 * The models of a cloud that a name with `*` stands for, as deployments of their own: each has a protocol and an address there,
 * and some have none. Names of Azure's deployments are free, so that no list has them. null: it is another name, or the list is
 * not to be asked.
 */
export function cloudModels(deployment: Deployment, about: WildcardsAbout): readonly CloudModel[] | null {
  const { name, params } = deployment
  const named = providerOf(textIn(params.get('model')) ?? '', textIn(params.get('custom_llm_provider')))
  const isListed = named.cloud === 'bedrock' || named.cloud === 'vertex'
  if (!isWildcard(deployment) || !isListed || about.source !== 'catalogue') return null
  const names = listedNames({ name, named }, about)
  if (names === null) return null
  // The list has models of Bedrock once more for regions where they cost something else.
  const own = [...names].filter(([, model]) => named.cloud !== 'bedrock' || !model.includes('/'))
  return own.map(([one, model]) => ({
    ...deployment,
    name: one,
    pattern: name,
    params: new Map([...params, ['model', `${named.name}/${model}`]]),
  }))
}

/** The prefixes of profiles of Bedrock, and what the regions that they are asked in begin with. */
const GEOGRAPHIES: Readonly<Record<string, string>> = {
  us: 'us-',
  eu: 'eu-',
  apac: 'ap-',
  jp: 'ap-northeast-',
  au: 'ap-southeast-',
  ca: 'ca-',
  'us-gov': 'us-gov-',
}

/** Whether a model that a list has is one at this address: a list has the profiles of Bedrock for all geographies. */
export function isServedAt(model: string, baseUrl: string): boolean {
  const [, region] = /^https:\/\/bedrock-runtime\.([a-z0-9-]{1,40})\./.exec(baseUrl) ?? []
  if (region === undefined) return true
  const [, geography = ''] = /^([a-z-]{2,6})\.[a-z0-9-]+\./.exec(model) ?? []
  return !Object.hasOwn(GEOGRAPHIES, geography) || region.startsWith(GEOGRAPHIES[geography] ?? '')
}
