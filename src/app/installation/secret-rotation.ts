/** What becomes of a database when its secret is replaced by another, with both known to every gateway meanwhile. */
import { sealedTextsIn, SealError, sealer } from '../../core/secret-box.ts'
import type { SettingStore, Store } from '../../store/store.ts'
import { auditedChange } from '../audited-change.ts'
import { ConfigurationError } from './environment.ts'
import { SECRET_MARK, secretMark, secretOfDatabase } from './secret.ts'

/** The secrets that environment or data directory give. */
export interface GivenSecrets {
  readonly current: string
  /** The secret that is about to replace `current`; null: none is. */
  readonly next: string | null
}

/** The secret that the database was made with, sealed with the one that it goes by. Without it they are the same. */
const HASH_SECRET = 'hash_secret'
/** Whether texts may still be sealed with the secret before. */
const STATE = 'secret_rotation'
/** The setting that keeps since when a next secret is known, under its mark. */
const NEXT_SEEN = 'secret_next'
/** Upstreams in one transaction. */
const AT_ONCE = 20

/**
 * The secret that hashes are made under. Keys, codes and sessions are stored as hashes, which cannot be made anew without what
 * was hashed, so they stay under the first secret. Throws ConfigurationError when none of the given ones is the database's.
 */
export async function hashSecretOf(
  settings: SettingStore,
  { current, next }: GivenSecrets,
  nowMs: number,
): Promise<string> {
  const secret = await secretOfDatabase(settings, next === null ? [current] : [current, next])
  if (next === null && (await settings.read(STATE)) === 'running') {
    throw new ConfigurationError(
      'The secret of this database is being replaced, and that is not finished: give the old one as TOLLGATE_SECRET and the new one as TOLLGATE_SECRET_NEXT, and run "tollgate secret rotate".',
    )
  }
  if (next !== null) await settings.writeOnce(`${NEXT_SEEN}:${secretMark(next)}`, String(nowMs))
  const sealed = await settings.read(HASH_SECRET)
  return sealed === null ? secret : sealer(secret).open(sealed)
}

/** When a gateway or command first knew of the next secret. Epoch milliseconds. */
export async function nextKnownSince(settings: SettingStore, next: string): Promise<number> {
  return Number((await settings.read(`${NEXT_SEEN}:${secretMark(next)}`)) ?? 0)
}

/**
 * Makes `next` the secret of the database: from the first step on it opens the database, and then whatever is sealed is sealed
 * with it, some upstreams at a time. Called again after it was ended in the middle, it goes on; nothing is sealed twice.
 */
export async function rotateSecret(
  store: Pick<Store, 'settings' | 'sealedTexts' | 'together'>,
  order: { readonly current: string; readonly next: string; readonly hashSecret: string; readonly nowMs: number },
  onProgress: (done: number, all: number) => void,
): Promise<void> {
  const { current, next, hashSecret, nowMs } = order
  await auditedChange({ store, nowMs }, async ({ settings }, audit) => {
    // Called again, it only goes on.
    if ((await settings.read(SECRET_MARK)) !== secretMark(next)) await audit(ROTATED)
    await settings.write(STATE, 'running')
    await settings.write(HASH_SECRET, sealer(next).seal(hashSecret))
    await settings.write(SECRET_MARK, secretMark(next))
  })
  const reseal = resealing(sealer(current), sealer(next))
  const all = await store.sealedTexts.count()
  let done = 0
  for (let after: string | null = null; ;) {
    after = await store.sealedTexts.reseal(after, AT_ONCE, reseal)
    if (after === null) break
    done = Math.min(all, done + AT_ONCE)
    onProgress(done, all)
  }
  await store.sealedTexts.resealCaptured(reseal)
  await store.sealedTexts.resealSettings((name, text) => (name === HASH_SECRET ? text : reseal(text)))
  await store.settings.write(STATE, 'done')
}

const ROTATED = {
  action: 'system.rotate_secret',
  subject: null,
  accountId: null,
  changes: { secret: { before: null, after: 'replaced' } },
} as const

function resealing(old: ReturnType<typeof sealer>, now: ReturnType<typeof sealer>): (text: string) => string {
  return (text) => {
    let written = text
    for (const [sealed] of sealedTextsIn(text)) {
      if (isOpenedBy(now, sealed)) continue
      // What neither opens was never readable here: it stays as it is.
      if (isOpenedBy(old, sealed)) written = written.replace(sealed, now.seal(old.open(sealed)))
    }
    return written
  }
}

function isOpenedBy(box: ReturnType<typeof sealer>, sealed: string): boolean {
  try {
    box.open(sealed)
    return true
  } catch (error) {
    if (error instanceof SealError) return false
    throw error
  }
}
