import type { PlannedTarget, PlannedUpstream } from '../import-plan.ts'
import { placeAtCloud, type PlacedAtCloud } from './cloud-places.ts'
import { type CloudModel, cloudModels, isServedAt } from './cloud-wildcards.ts'
import { type DeploymentPlace, type PlacesAbout, placeOf, textIn, wholeIn } from './places.ts'
import { type NamedProvider, providerOf, sentName } from './provider-table.ts'
import type { Deployment } from './read-config.ts'
import { expanded, isWildcard, withProviders, type WildcardsAbout } from './wildcards.ts'

const LARGEST = 1_000_000

interface DeploymentsAbout extends WildcardsAbout, PlacesAbout {
  readonly group: string
}

/** One way in which a model is served under a name. */
export interface ServedDeployment {
  readonly name: string
  readonly target: PlannedTarget
  readonly deployment: Deployment
  readonly named: NamedProvider
  /** Where it is asked. */
  readonly baseUrl: string
}

/** Deployments as upstreams: those of one address and one credential are one. And what each of them serves. */
export async function planDeployments(deployments: readonly Deployment[], about: DeploymentsAbout) {
  const upstreams = new Map<string, PlannedUpstream>()
  const names = new Set<string>()
  const served: ServedDeployment[] = []
  const patterns: (Omit<ServedDeployment, 'target'> & { readonly upstream: PlannedUpstream })[] = []
  const single = deployments.flatMap((each) => withProviders(each, about))
  for (const deployment of single.flatMap(
    (each): readonly (Deployment | CloudModel)[] => cloudModels(each, about) ?? [each],
  )) {
    const isListed = 'pattern' in deployment
    const custom = textIn(deployment.params.get('custom_llm_provider'))
    const written = providerOf(textIn(deployment.params.get('model')) ?? '', custom)
    const placed = await placedBy(deployment, written, about)
    if (typeof placed === 'string') {
      // Of what a list has beside chats nothing was asked.
      if (!isListed) about.notes.note('model_list', deployment.id, placed)
      continue
    }
    const { place } = placed
    if (isListed && !isServedAt(placed.model, place.baseUrl)) continue
    const named = { ...written, model: placed.model }
    const key = JSON.stringify(place)
    const upstream = upstreams.get(key) ?? plannedUpstream(place, deployment.id, freeName(named.name, names))
    upstreams.set(key, upstream)
    const { name } = deployment
    const { baseUrl } = upstream
    if (isWildcard(deployment)) patterns.push({ name, upstream, deployment, named, baseUrl })
    else
      served.push({ name, deployment, named, baseUrl, target: targetOf({ deployment, named, upstream }, about.group) })
  }
  const own = withoutHidden(served)
  const all = [...own, ...(await ofPatterns(patterns, { ...about, written: new Set(own.map(({ name }) => name)) }))]
  return { upstreams: [...upstreams.values()], served: inOrder(all) }
}

/** A name that is written out comes before one of a cloud's list, and a longer name with `*` before a shorter one. */
function withoutHidden(served: readonly ServedDeployment[]): readonly ServedDeployment[] {
  const patternOf = ({ deployment }: ServedDeployment) => ('pattern' in deployment ? String(deployment.pattern) : null)
  const owners = new Map<string, string | null>()
  for (const each of served) {
    const [pattern, owner] = [patternOf(each), owners.get(each.name)]
    if (owner === undefined || pattern === null || (owner !== null && pattern.length > owner.length))
      owners.set(each.name, pattern)
  }
  return served.filter((each) => owners.get(each.name) === patternOf(each))
}

async function placedBy(
  deployment: Deployment,
  named: NamedProvider,
  about: PlacesAbout,
): Promise<PlacedAtCloud | string> {
  const { cloud, model } = named
  if (cloud !== null) return placeAtCloud(deployment, { ...named, cloud }, about)
  const place = placeOf(deployment, named, about)
  return typeof place === 'string' ? place : { place, model }
}

/** A name that is written out comes before one with `*`, and a longer one with it before a shorter one. */
async function ofPatterns(
  patterns: readonly (Omit<ServedDeployment, 'target'> & { readonly upstream: PlannedUpstream })[],
  about: DeploymentsAbout & { readonly written: ReadonlySet<string> },
): Promise<readonly ServedDeployment[]> {
  const owners = new Map<string, string>()
  const served: ServedDeployment[] = []
  for (const { name: pattern, upstream, deployment, named, baseUrl } of patterns.toSorted(
    (a, b) => b.name.length - a.name.length,
  )) {
    const models = await expanded({ id: deployment.id, name: pattern, named, upstream }, about)
    if (typeof models === 'string') about.notes.note('model_list', deployment.id, models)
    for (const [name, model] of typeof models === 'string' ? [] : models) {
      const owner = owners.get(name) ?? pattern
      if (about.written.has(name) || owner !== pattern) continue
      owners.set(name, pattern)
      const one = { ...named, model }
      const target = targetOf({ deployment, named: one, upstream }, about.group)
      served.push({ name, deployment, named: one, baseUrl, target })
    }
  }
  return served
}

function targetOf(
  {
    deployment: { info },
    named: { model, provider },
    upstream,
  }: { readonly deployment: Deployment; readonly named: NamedProvider; readonly upstream: PlannedUpstream },
  group: string,
): PlannedTarget {
  return {
    upstream: upstream.name,
    model: typeof provider === 'string' ? model : sentName(model, provider, info.get('mode')),
    priority: 0,
    weight: 1,
    groups: [group],
    costFactor: null,
  }
}

/** Priorities from 0, and within one the shares by which LiteLLM draws: by weights, else by the limits of the deployments. */
function inOrder(served: readonly ServedDeployment[]): readonly ServedDeployment[] {
  const written = served.map(({ deployment }) => wholeIn(deployment.params.get('order')))
  const first = Math.min(1, ...written.map((order) => order ?? 1))
  const placed = served.map((each, index) => ({
    ...each,
    target: { ...each.target, priority: Math.min((written[index] ?? first) - first, LARGEST) },
  }))
  const tierOf = ({ name, target }: ServedDeployment) => JSON.stringify([name, target.priority])
  const tiers = Map.groupBy(placed, tierOf)
  return placed.map((each) => ({
    ...each,
    target: { ...each.target, weight: shareOf(each.deployment, tiers.get(tierOf(each)) ?? []) },
  }))
}

/** What the first of a tier has says by what all of it is drawn. */
function shareOf({ params }: Deployment, [first, ...others]: readonly ServedDeployment[]): number {
  const by = ['weight', 'rpm', 'tpm'].find((field) => first?.deployment.params.has(field))
  if (first === undefined || by === undefined) return 1
  const shares = [first, ...others].map(({ deployment }) => wholeIn(deployment.params.get(by)) ?? 0)
  const largest = Math.max(...shares)
  const share = wholeIn(params.get(by)) ?? 0
  return largest <= LARGEST ? share : Math.ceil((share / largest) * LARGEST)
}

function plannedUpstream(place: DeploymentPlace, id: string, name: string): PlannedUpstream {
  const { secret, isDisabled, kind, settings, requestsPerMinute, tokensPerMinute, alone: _alone, ...others } = place
  const limits = {
    ...(kind === undefined ? {} : { kind }),
    ...(settings === undefined ? {} : { settings }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    ...(tokensPerMinute === undefined ? {} : { tokensPerMinute }),
  }
  return { id, name, ...others, credentials: [{ name: 'default', secret, isDisabled, ...limits }], proxyUrl: null }
}

function freeName(provider: string, names: Set<string>): string {
  let name = provider
  for (let number = 2; names.has(name); number++) name = `${provider} ${number}`
  names.add(name)
  return name
}
