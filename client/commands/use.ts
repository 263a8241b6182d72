import { shownDiff } from '../changes/shown-diff.ts'
import { type ChangeRecord, keepChanges, readChanges } from '../changes/change-record.ts'
import { type PlannedFile, prepareFile, type PreparedFile, realPathOf } from '../changes/prepared-file.ts'
import { writeFiles } from '../changes/write-files.ts'
import { CLIENTS, clientNamed } from '../clients/all-clients.ts'
import { type Asked, type ClientKind, isThere, type Plan } from '../clients/client-kind.ts'
import { BY_HAND, byHand } from '../clients/with-stored-secret.ts'
import { tryMessage } from '../clients/try-message.ts'
import { createSecret, endSecret, readDevice } from '../gateway/device.ts'
import { Failure, type Host } from '../host.ts'
import { keepOwnCopy } from '../kept/own-copy.ts'
import { chosenSignIn, type SignIn } from '../kept/sign-in-store.ts'

const DOTS = '••••••••'

export interface UseOptions {
  readonly gateway: string | null
  readonly clients: readonly string[]
  readonly model: string | null
  readonly isAgreed: boolean
  readonly isTried: boolean
  readonly wants: Asked['wants']
}

/** Sets clients up for the gateway: the named ones, or those that are found here. */
export async function use(host: Host, options: UseOptions): Promise<number> {
  const signIn = chosenSignIn(host, options.gateway)
  const state = await readDevice(host, signIn)
  keepOwnCopy(host)
  const asked = (kind: { id: string }): Asked => ({
    host,
    address: signIn.address,
    state,
    model: options.model,
    secret: DOTS,
    isSetUp: readChanges(host, kind.id) !== null,
    wants: options.wants,
  })
  const [byHandOnly] = options.clients.filter((name) => Object.hasOwn(BY_HAND, name))
  const hand = byHandOnly === undefined ? undefined : BY_HAND[byHandOnly]
  if (hand !== undefined) throw byHand({ address: signIn.address }, hand.name, hand.where(asked({ id: '' })))
  const kinds =
    options.clients.length > 0 ? options.clients.map(clientNamed) : CLIENTS.filter((kind) => isThere(host, kind))
  if (kinds.length === 0) {
    host.print(
      `No client that this program knows was found. It knows ${CLIENTS.map(({ id }) => id).join(', ')}: name one.\n`,
    )
    return 1
  }
  let areAllGood = true
  for (const kind of kinds) {
    const isGood = await useOne(host, kind, { signIn, asked: asked(kind), options }).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error
      host.remark(`${kind.name}: ${error.message}\n`)
      return false
    })
    areAllGood = isGood && areAllGood
  }
  return areAllGood ? 0 : 1
}

interface Use {
  readonly signIn: SignIn
  readonly asked: Asked
  readonly options: UseOptions
}

async function useOne(host: Host, kind: ClientKind, { signIn, asked, options }: Use): Promise<boolean> {
  const former = readChanges(host, kind.id)
  const shownPlan = await kind.plan(asked)
  const shownFiles = await prepareFiles(host, shownPlan.files, former)
  host.print(`\n${kind.name}, with ${shownPlan.model}\n`)
  const isSame = shownPlan.form !== 'stored' && shownFiles.every(({ current, after }) => current === after)
  if (isSame) host.print('It is set up already.\n')
  else {
    for (const file of shownFiles) if (file.current !== file.after) host.print(shownDiff(file))
    if (!(await isAgreedTo(host, options))) return true
    await change(host, kind, { signIn, asked, shownPlan, former })
    host.print(`${kind.name} is set up. Back: tollgate unuse ${kind.id}\n`)
  }
  for (const note of shownPlan.notes) host.print(`${note}\n`)
  return !options.isTried || tryMessage(host, signIn, { kind, plan: shownPlan, state: asked.state })
}

async function isAgreedTo(host: Host, { isAgreed }: UseOptions): Promise<boolean> {
  const answer = isAgreed || (await host.confirm('Write this?'))
  if (answer === null)
    throw new Failure('There is no terminal to ask in: nothing is changed. Add --yes to agree beforehand.')
  if (!answer) host.print('Nothing is changed.\n')
  return answer
}

async function change(
  host: Host,
  kind: ClientKind,
  { signIn, asked, shownPlan, former }: { signIn: SignIn; asked: Asked; shownPlan: Plan; former: ChangeRecord | null },
): Promise<void> {
  const isStored = shownPlan.form === 'stored'
  const made = isStored ? await createSecret(host, signIn, kind.id) : null
  try {
    const plan = made === null ? shownPlan : await kind.plan({ ...asked, secret: made.secret })
    const prepared = await prepareFiles(host, plan.files, former)
    const files = await writeFiles(host, kind.id, { files: prepared, hasSecret: isStored })
    const record = { client: kind.id, name: kind.name, gateway: signIn.address, secretId: made?.id ?? null, files }
    keepChanges(host, record)
  } catch (error) {
    // A secret that stands nowhere is of no use.
    if (made !== null) await endSecret(host, signIn, made.id).catch(() => undefined)
    throw error
  }
  const old = former?.gateway === signIn.address ? former.secretId : null
  if (old !== null && old !== made?.id) await endSecret(host, signIn, old).catch(() => undefined)
}

/** What becomes of the files of a plan, and of those that were written before and are not in it any more. */
export async function prepareFiles(
  host: Host,
  planned: readonly PlannedFile[],
  former: ChangeRecord | null,
): Promise<readonly PreparedFile[]> {
  const before = former?.files ?? []
  const formerOf = (path: string) => before.find((each) => each.path === realPathOf(path)) ?? null
  const now = await Promise.all(
    planned.map((each) => prepareFile(host, each.path, { planned: each, former: formerOf(each.path) })),
  )
  const gone = before.filter(({ path }) => !now.some((each) => each.path === path))
  const back = await Promise.all(gone.map((each) => prepareFile(host, each.path, { planned: null, former: each })))
  return [...now, ...back]
}
