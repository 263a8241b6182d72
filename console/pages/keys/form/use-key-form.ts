import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import type { Page } from '../../../../src/contract/wire-values.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { myLimitsQuery } from '../../../api/me.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useDraft } from '../../../forms/use-draft.ts'
import { type FieldErrors, type Submission, useSubmission } from '../../../forms/use-submission.ts'
import { type DeviceRule, fewestDays, withPreset } from './device-rule.ts'
import { validate } from './key-draft-check.ts'
import { KEY_FIELDS, newDraft, type KeyDraft } from './key-draft.ts'
import { useFreeName } from './name-field.tsx'

/** See `useSubmission`. */
interface SendOptions {
  readonly idempotencyKey: string
  readonly version: string | undefined
  readonly sinceMs: number
}

/** What the form of a key is for. */
export interface KeyFormOptions<Answer> {
  /** null: a new key. */
  readonly before: { readonly keyId: string; readonly draft: KeyDraft; readonly expiresAt: string | null } | null
  /** See `useDraft`. */
  readonly keptAs: string
  /** Whether it is the key of a device, for which its group may preset and bound something. */
  readonly isDevice?: true
  /** The name that a new key is proposed; left out: one after the reader's machine. */
  readonly proposes?: string | undefined
  /** What is asked for beside the key. */
  readonly beside?: { readonly fields: readonly string[]; check(): FieldErrors }
  send(draft: KeyDraft, options: SendOptions): Promise<Answer>
  /** See `useSubmission`. */
  onTheirs?(): void
  onDone(answer: Answer): void
}

/** The draft of a key as it is shown and sent, with what is not written yet filled in as is likely. */
export interface KeyFormState {
  readonly draft: KeyDraft
  change(part: Partial<KeyDraft>): void
  /** Whether the name is a proposal, which goes with the first letter that is typed. */
  readonly isProposed: boolean
  setName(name: string): void
  readonly groupsPage: UseQueryResult<Page<GroupView>>
  /** The days for which keys of the account may be valid; null: any number; undefined: not known yet. */
  readonly mostDays: number | null | undefined
  /** What its group says of devices; null: it is not one's, or nothing. */
  readonly rule: DeviceRule | null
  readonly submission: Submission
}

/**
 * The state of the form. `send` gets a draft with nothing wrong in it that could be shown here; what the server refuses goes
 * to the field that it names.
 */
export function useKeyForm<Answer>(options: KeyFormOptions<Answer>): KeyFormState {
  const t = useTexts('keys')
  const isNew = options.before === null
  const groupsPage = useQuery(groupsQuery)
  const [written, setDraft, isBack] = useDraft<KeyDraft>(() => options.before?.draft ?? newDraft('', ''), {
    keptAs: options.keptAs,
    secrets: NO_SECRET,
  })
  // The only or the first group is the likely one, and known a moment after the form.
  const likely = groupsPage.data?.data.find((group) => group.enabled && group.usable)?.name ?? ''
  const [isNamed, setNamed] = useState(!isNew || (isBack && written.name !== ''))
  const proposed = useFreeName(options.proposes)
  const named = isNamed ? written : { ...written, name: proposed }
  const grouped = named.group === '' ? { ...named, group: likely } : named
  const rule = options.isDevice === true ? ruleOf(groupsPage.data, grouped.group) : null
  const [isQuotaWritten, setQuotaWritten] = useState(written.quotaLimit !== '')
  const limits = useQuery({ ...myLimitsQuery, enabled: isNew })
  const known = limits.data?.limits.max_key_validity_days ?? null
  const draft = endingWithin(
    withPreset(grouped, rule, isQuotaWritten),
    isNew ? fewestDays(known, rule?.max_days) : null,
  )
  const queries = useQueryClient()
  const change = (part: Partial<KeyDraft>): void => {
    // What was preset beside it stays.
    const { quotaLimit, quotaReset } = draft
    const isFirst = !isQuotaWritten && ('quotaLimit' in part || 'quotaReset' in part)
    if (isFirst) setQuotaWritten(true)
    setDraft((before) => ({ ...before, ...(isFirst ? { quotaLimit, quotaReset } : {}), ...part }))
  }
  const submission = useSubmission<Answer>({
    fields: [...KEY_FIELDS, ...(options.beside?.fields ?? [])],
    check: () => {
      const problems = Object.entries(validate(draft, Date.now()))
      const own = Object.fromEntries(problems.map(([field, problem]) => [field, t.objections[problem]]))
      return { ...own, ...options.beside?.check() }
    },
    send: async (idempotencyKey, version, sinceMs) => {
      // A name that was proposed stays once it was sent: the next try is for the same key.
      setNamed(true)
      change({ name: draft.name })
      // It may be sent before it is known how long keys may be valid.
      const report = isNew ? await queries.ensureQueryData(myLimitsQuery).catch(() => null) : null
      const ended = endingWithin(draft, fewestDays(report?.limits.max_key_validity_days, rule?.max_days))
      return options.send(ended, { idempotencyKey, version, sinceMs })
    },
    ...(options.onTheirs === undefined ? {} : { onTheirs: options.onTheirs }),
    onDone: options.onDone,
  })
  return {
    draft,
    change,
    isProposed: !isNamed,
    setName: (name) => {
      setNamed(true)
      change({ name })
    },
    groupsPage,
    mostDays: !isNew ? null : limits.isPending ? undefined : fewestDays(known, rule?.max_days),
    rule,
    submission: { ...submission, isBack },
  }
}

function ruleOf(groups: Page<GroupView> | undefined, name: string): DeviceRule | null {
  return groups?.data.find((group) => group.name === name)?.devices ?? null
}

/** A secret that its writer chose is never kept. */
const NO_SECRET = { isCustom: false, customKey: '' } as const

/** Where keys have to end, one for which nothing else was chosen ends as late as it may. */
function endingWithin(draft: KeyDraft, mostDays: number | null): KeyDraft {
  if (mostDays === null || draft.validity.kind !== 'permanent') return draft
  return { ...draft, validity: { kind: 'longest', days: mostDays } }
}
