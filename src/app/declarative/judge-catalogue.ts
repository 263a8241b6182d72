import { mustBe } from '../../core/must-be.ts'
import type { CatalogueLists } from '../../entitlement/catalogue.ts'
import { newObjections, objectionsToTargets } from '../../entitlement/refused-targets.ts'
import type { JudgedLists, TargetObjection } from '../../entitlement/refused-targets.ts'
import { endpointsOf } from '../../routing/serving.ts'
import type { Installation } from './apply-step.ts'
import type { DeclarativeFile } from './declarative-file.ts'
import type { Path } from './located-yaml.ts'
import type { Declaration } from './schema.ts'
import { objectionToCredential } from '../../routing/credential-settings.ts'

/** Throws ConfigurationError for the first target that can never do what is written of it, and did not stand so before. */
export async function judgeDeclaredTargets(
  file: DeclarativeFile,
  { store }: Pick<Installation, 'store'>,
): Promise<void> {
  const [upstreams, models, groups] = await Promise.all([
    store.catalog.upstreams(),
    store.catalog.models(),
    store.groups.groups(),
  ])
  const found = refusedTarget(file.declaration, { upstreams, models, groups })
  if (found !== null) throw file.refusal(found.path, mustBe(found.takes))
}

/** The first of them in a file, beside what is stored; null: there is none. */
export function refusedTarget(
  declaration: Declaration,
  stored: CatalogueLists,
): { readonly path: Path; readonly takes: string } | null {
  const lists = byName(declaration, stored)
  for (const [i, model] of declaration.models.entries()) {
    const targets = model.targets.map(({ upstream, groups, ...target }) => ({
      ...target,
      upstreamId: upstream,
      ...(groups.length === 0 ? {} : { groupIds: groups }),
    }))
    const endpoints = endpointsOf(model)
    const [objection] = newObjections(
      objectionsToTargets({ name: model.name, endpoints, targets }, lists),
      objectionsBefore(model.name, stored),
    )
    if (objection === undefined) continue
    return { path: ['models', i, 'targets', objection.index, objection.field], takes: objection.takes }
  }
  return null
}

function objectionsBefore(name: string, stored: CatalogueLists): readonly TargetObjection[] {
  const model = stored.models.find((each) => each.name === name)
  if (model === undefined) return []
  return objectionsToTargets({ name, endpoints: endpointsOf(model), targets: model.targets }, stored)
}

/** What there is when the file is applied; a file has names for ids. */
function byName({ upstreams, groups }: Declaration, stored: CatalogueLists): JudgedLists {
  const declared = { upstreams: namesOf(upstreams), groups: namesOf(groups) }
  return {
    upstreams: [...upstreams, ...stored.upstreams.filter(({ name }) => !declared.upstreams.has(name))].map(idByName),
    groups: [...groups, ...stored.groups.filter(({ name }) => !declared.groups.has(name))].map(idByName),
  }
}

function idByName<Each extends { readonly name: string }>(each: Each) {
  return { ...each, id: each.name }
}

export function namesOf(objects: readonly { readonly name: string }[]): ReadonlySet<string> {
  return new Set(objects.map(({ name }) => name))
}

/**
 * Throws ConfigurationError for the first credential that has expired before it was ever stored, or that is for a model
 * without a target at its upstream, in the file or stored.
 */
export async function judgeDeclaredCredentials(
  file: DeclarativeFile,
  { store, nowMs }: Pick<Installation, 'store' | 'nowMs'>,
): Promise<void> {
  const { upstreams, models } = file.declaration
  const [storedUpstreams, storedModels] = await Promise.all([store.catalog.upstreams(), store.catalog.models()])
  for (const [i, { name, credentials }] of upstreams.entries()) {
    const stored = storedUpstreams.find((upstream) => upstream.name === name)
    const modelsAtUpstream = new Set([
      ...models.flatMap(({ targets }) => targets.filter(({ upstream }) => upstream === name)).map(({ model }) => model),
      ...storedModels
        .flatMap(({ targets }) => targets.filter(({ upstreamId }) => upstreamId === stored?.id))
        .map(({ model }) => model),
    ])
    for (const [k, credential] of credentials.entries()) {
      const before = stored?.credentials.find((each) => each.name === credential.name)
      const objection = objectionToCredential(credential, { modelsAtUpstream, nowMs, before })
      if (objection === null) continue
      const { field, index, takes } = objection
      const path = ['upstreams', i, 'credentials', k, field, ...(index === null ? [] : [index])]
      throw file.refusal(path, mustBe(takes))
    }
  }
}
