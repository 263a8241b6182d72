import { type Group, groupNames } from '../../access/group.ts'
import { credentialNote, groupNote, modelNote, upstreamNote } from '../../control/audit/catalogue-notes.ts'
import { planNote } from '../../control/audit/funding-notes.ts'
import { writtenModel, writtenUpstream } from '../../control/written-settings.ts'
import { newId } from '../../core/ids.ts'
import { invariant } from '../../core/invariant.ts'
import { appliedResponseCache } from '../../core/response-cache-rule.ts'
import { isSealed, type Sealer } from '../../core/secret-box.ts'
import type { Plan } from '../../metering/funds/plan.ts'
import type { Model, Upstream } from '../../routing/catalog.ts'
import { type ApplyStep, managedNote } from './apply-step.ts'
import type { DeclarativeFile } from './declarative-file.ts'
import { namedChange } from './named-change.ts'
import { writtenGroup, writtenPlan } from './written-entries.ts'

/** Throws ConfigurationError where the file has secrets that another installation sealed. */
export function requireOwnSeals({ declaration, refusal }: DeclarativeFile, sealer: Sealer): void {
  for (const [i, { credentials, headers, proxyUrl }] of declaration.upstreams.entries()) {
    const ofCredentials = credentials.flatMap((each) => [each.secret, each.proxyUrl ?? ''])
    const places = { credentials: ofCredentials, headers: Object.values(headers), proxy_url: [proxyUrl ?? ''] }
    for (const [place, given] of Object.entries(places)) {
      if (given.some((each) => isSealed(each) && !mayOpen(each, sealer))) {
        throw refusal(
          ['upstreams', i, place],
          'has secrets of an export that another TOLLGATE_SECRET encrypted: give this installation the secret of that one',
        )
      }
    }
  }
}

function mayOpen(sealed: string, sealer: Sealer): boolean {
  try {
    sealer.open(sealed)
    return true
  } catch {
    return false
  }
}

export async function applyUpstreams({ file, store, change, sealer, nowMs, notes }: ApplyStep): Promise<void> {
  const before = byName(await store.catalog.upstreams())
  for (const written of file.declaration.upstreams) {
    const { credentials, proxyUrl, passage: ways, ...declared } = written
    const existing = before.get(declared.name)
    before.delete(declared.name)
    const sealedBefore = existing?.passage?.sealedProxyUrl ?? null
    const sealedProxyUrl = proxyUrl === null ? {} : { sealedProxyUrl: sealedAs(proxyUrl, sealedBefore, sealer) }
    const passage = { ...sealedProxyUrl, ...ways }
    const upstream: Upstream = {
      ...declared,
      ...(Object.keys(passage).length === 0 ? {} : { passage }),
      id: existing?.id ?? newId('ups', nowMs),
      credentials: credentials.map(({ secret, proxyUrl: ownProxy, isDisabled: _isDisabled, ...credential }) => {
        const stored = existing?.credentials.find(({ name }) => name === credential.name)
        return {
          ...credential,
          sealedSecret: sealedAs(secret, stored?.sealedSecret ?? null, sealer),
          sealedProxyUrl: ownProxy === null ? null : sealedAs(ownProxy, stored?.sealedProxyUrl ?? null, sealer),
        }
      }),
      headers: Object.fromEntries(
        Object.entries(declared.headers).map(([name, value]) => [
          name,
          sealedAs(value, existing?.headers[name] ?? null, sealer),
        ]),
      ),
      isManaged: true,
    }
    const disabled = credentials.filter(({ isDisabled }) => isDisabled)
    const disable = async (): Promise<void> => {
      for (const { name } of disabled) {
        const made = await change(async ({ catalog }, audit) => {
          const changed = await catalog.changeCredential({ upstreamId: upstream.id, name, isDisabled: true })
          if (changed.seq !== null) await audit(credentialNote(changed))
          return changed
        })
        if (made.seq !== null) notes.changes.push(`credential ${name} of ${declared.name}`)
      }
    }
    // Before it is there, so that it is not asked meanwhile; of an upstream that is new there is no target yet.
    if (existing !== undefined) await disable()
    if (await putUpstream(upstream, existing, change)) {
      notes.changes.push(
        namedChange(`upstream ${declared.name}`, { before: existing, after: upstream, written: asWritten }),
      )
    }
    if (existing === undefined) await disable()
  }
  for (const gone of managed(before)) await putUpstream({ ...gone, isManaged: false }, gone, change)
}

/** Returns whether anything was different. */
function putUpstream(upstream: Upstream, before: Upstream | undefined, change: ApplyStep['change']): Promise<boolean> {
  return change(async ({ catalog }, audit) => {
    if (!(await catalog.putUpstream(upstream))) return false
    await audit(managedNote(upstreamNote(before ?? null, upstream), before ?? upstream, upstream))
    return true
  })
}

export async function applyModels({ file, store, change, nowMs, notes }: ApplyStep): Promise<void> {
  const before = byName(await store.catalog.models())
  const [upstreams, groups] = await Promise.all([store.catalog.upstreams(), store.groups.groups()])
  const [upstreamIds, groupIds] = [idsOf(upstreams), idsOf(groups)]
  const written = (model: Model) => writtenModel(model, { upstreams, groups })
  const put = (model: Model, existing: Model | undefined) =>
    change(async ({ catalog }, audit) => {
      if (!(await catalog.putModel(model))) return false
      await audit(managedNote(modelNote(existing ?? null, model, { upstreams, groups }), existing ?? model, model))
      return true
    })
  for (const { isPriceLocked: lock, ...declared } of file.declaration.models) {
    const existing = before.get(declared.name)
    before.delete(declared.name)
    const model: Model = {
      ...declared,
      ...((lock ?? existing?.isPriceLocked) === true ? { isPriceLocked: true } : {}),
      id: existing?.id ?? newId('mdl', nowMs),
      targets: declared.targets.map(({ upstream, groups: served, ...target }) => ({
        ...target,
        upstreamId: upstreamIds(upstream),
        ...(served.length === 0 ? {} : { groupIds: served.map(groupIds) }),
      })),
      createdAt: existing?.createdAt ?? nowMs,
      isManaged: true,
    }
    if (await put(model, existing)) {
      notes.changes.push(namedChange(`model ${declared.name}`, { before: existing, after: model, written }))
    }
  }
  for (const gone of managed(before)) await put({ ...gone, isManaged: false }, gone)
}

export async function applyGroups({ file, store, change, nowMs, notes }: ApplyStep): Promise<void> {
  const before = byName(await store.groups.groups())
  const put = (group: Group, existing: Group | undefined) =>
    change(async ({ groups }, audit) => {
      if ((await groups.putGroup(group)) === null) return false
      await audit(managedNote(groupNote(existing ?? null, group), existing ?? group, group))
      return true
    })
  for (const declared of file.declaration.groups) {
    const existing = before.get(declared.name)
    before.delete(declared.name)
    const { cache: rule, ...others } = declared
    const cache = rule === undefined ? {} : { cache: appliedResponseCache(rule, existing?.cache, nowMs) }
    const id = existing?.id ?? newId('grp', nowMs)
    const group = { ...others, ...cache, id, isManaged: true }
    if (await put(group, existing))
      notes.changes.push(
        namedChange(`group ${declared.name}`, { before: existing, after: group, written: writtenGroup }),
      )
  }
  for (const gone of managed(before)) await put({ ...gone, isManaged: false }, gone)
}

export async function applyPlans({ file, store, change, nowMs, notes }: ApplyStep): Promise<void> {
  const before = byName(await store.plans.plans())
  const all = await store.groups.groups()
  const groupIds = idsOf(all)
  const nameOfGroup = groupNames(all)
  const written = (plan: Plan) => writtenPlan(plan, nameOfGroup)
  const put = (plan: Plan, existing: Plan | undefined) =>
    change(async ({ plans }, audit) => {
      if (!(await plans.putPlan(plan))) return false
      await audit(managedNote(planNote(existing ?? null, plan, nameOfGroup), existing ?? plan, plan))
      return true
    })
  for (const { groups, ...declared } of file.declaration.plans) {
    const existing = before.get(declared.name)
    const id = existing?.id ?? newId('pln', nowMs)
    before.delete(declared.name)
    const plan = { ...declared, id, groupIds: groups.map(groupIds), isManaged: true }
    if (await put(plan, existing))
      notes.changes.push(namedChange(`plan ${declared.name}`, { before: existing, after: plan, written }))
  }
  for (const gone of managed(before)) await put({ ...gone, isManaged: false }, gone)
}

/** An upstream as the file writes it. Which of its credentials a person disabled is a change of its own. */
function asWritten(upstream: Upstream): object {
  return writtenUpstream(upstream, { secret: (sealed) => sealed, isDisabled: () => false })
}

/** Finds the id behind a name that was checked to exist. */
function idsOf(objects: readonly { readonly id: string; readonly name: string }[]): (name: string) => string {
  const ids = new Map(objects.map(({ id, name }) => [name, id]))
  return (name) => {
    const id = ids.get(name)
    invariant(id !== undefined, `${name} was checked to exist`)
    return id
  }
}

/** Sealing gives another text each time, so what is sealed already and still the same is kept. */
function sealedAs(given: string, sealed: string | null, sealer: Sealer): string {
  const secret = isSealed(given) ? sealer.open(given) : given
  if (sealed === null) return sealer.seal(secret)
  try {
    return sealer.open(sealed) === secret ? sealed : sealer.seal(secret)
  } catch {
    return sealer.seal(secret)
  }
}

function byName<Named extends { readonly name: string }>(objects: readonly Named[]): Map<string, Named> {
  return new Map(objects.map((object) => [object.name, object]))
}

function managed<Named extends { readonly isManaged: boolean }>(left: ReadonlyMap<string, Named>): readonly Named[] {
  return [...left.values()].filter(({ isManaged }) => isManaged)
}
