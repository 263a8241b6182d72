/** The drafts of forms that were open when a session ended, in this tab alone, until the same person is back. */
const NAME = 'tollgate.drafts'
/** A session may end at night, and its reader comes in the morning. */
const OLDEST_MS = 86_400_000
const MOST_CHARACTERS = 50_000

/** A form that is being written. */
export interface OpenDraft {
  readonly person: string
  /** What may be kept of it: nothing secret. null: as long as nothing was written. */
  current(): object | null
}

interface Kept {
  readonly person: string
  /** Epoch milliseconds. */
  readonly at: number
  /** The console that wrote them: another version of it may read its forms otherwise. */
  readonly build: string
  /** The drafts, by the names of their forms. */
  readonly drafts: Readonly<Record<string, object>>
}

const open = new Map<string, OpenDraft>()

/** Keeps a form in mind for as long as it is open; the function that is returned ends that. */
export function openDraft(name: string, draft: OpenDraft): () => void {
  open.set(name, draft)
  return () => {
    if (open.get(name) === draft) open.delete(name)
  }
}

/** The session has ended: what is being written outlives the way over the sign-in page. */
export function keepOpenDrafts(nowMs: number): void {
  let left = MOST_CHARACTERS
  const drafts: Record<string, object> = {}
  const [first] = open.values()
  for (const [name, draft] of open) {
    const current = draft.person === first?.person ? draft.current() : null
    const { length } = JSON.stringify(current)
    if (current === null || length > left) continue
    left -= length
    drafts[name] = current
  }
  if (first === undefined || Object.keys(drafts).length === 0) return
  const kept: Kept = { person: first.person, at: nowMs, build: build(), drafts }
  try {
    sessionStorage.setItem(NAME, JSON.stringify(kept))
  } catch {
    // Nothing is kept then.
  }
}

/** The draft of a form as this person left it; undefined: there is none. */
export function keptDraft(name: string, { person, nowMs }: { readonly person: string; readonly nowMs: number }) {
  const kept = read()
  if (kept === null) return undefined
  if (kept.person === person && kept.build === build() && nowMs - kept.at < OLDEST_MS) return kept.drafts[name]
  // What is another's or too old is of no use to any form.
  forgetDrafts()
  return undefined
}

/** Forgets one draft, or all. */
export function forgetDrafts(name?: string): void {
  const kept = name === undefined ? null : read()
  const { [name ?? '']: _, ...drafts } = kept?.drafts ?? {}
  try {
    if (kept === null || Object.keys(drafts).length === 0) sessionStorage.removeItem(NAME)
    else sessionStorage.setItem(NAME, JSON.stringify({ ...kept, drafts }))
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

/** A browser may forbid storage altogether, and something else may have written there. */
function read(): Kept | null {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(NAME) ?? 'null')
    return isKept(found) ? found : null
  } catch {
    return null
  }
}

function isKept(found: unknown): found is Kept {
  if (typeof found !== 'object' || found === null) return false
  const { person, at, build: by, drafts } = found as Partial<Record<keyof Kept, unknown>>
  return typeof person === 'string' && typeof at === 'number' && typeof by === 'string' && typeof drafts === 'object'
}

/** The address of the script that this page was started with, in which the content has a part. */
function build(): string {
  return document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? ''
}
