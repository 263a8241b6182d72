import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { groupsQuery } from '../../../api/groups.ts'
import { myLimitsQuery } from '../../../api/me.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { Form } from '../../../forms/form.tsx'
import { useSubmission } from '../../../forms/use-submission.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { GroupField } from './group-field.tsx'
import { validate } from './key-draft-check.ts'
import { FOLDED_FIELDS, KEY_FIELDS, newDraft, type KeyDraft, type KeyField } from './key-draft.ts'
import { summaryFacts } from './key-summary.ts'
import { QuotaFields, RateFields } from './limit-fields.tsx'
import { CustomKeyFields, ReachFields } from './reach-fields.tsx'
import { NameField, useFreeName } from './name-field.tsx'
import { ValidityField } from './validity-field.tsx'

/** See `useSubmission`. */
interface SendOptions {
  readonly idempotencyKey: string
  readonly version: string | undefined
  readonly sinceMs: number
}

/**
 * The form of a key, for a new one and for one that is there. `send` gets a draft with nothing wrong in it that could be
 * shown here; what the server refuses goes to the field that it names.
 */
export function KeyForm<Answer>(props: {
  /** null: a new key. */
  readonly before: { readonly keyId: string; readonly draft: KeyDraft; readonly expiresAt: string | null } | null
  /** The field that the form was opened for. */
  readonly opensAt?: string | undefined
  /** What is to be known of what is filled in. */
  readonly note?: string | undefined
  readonly submitLabel: string
  send(draft: KeyDraft, options: SendOptions): Promise<Answer>
  /** See `useSubmission`. */
  onTheirs?(): void
  onDone(answer: Answer): void
  onCancel(): void
}): ReactNode {
  const t = useTexts('keys')
  const shared = useSharedTexts()
  const format = useFormat()
  const groupsPage = useQuery(groupsQuery)
  const groups = groupsPage.data?.data ?? []
  const [written, setDraft] = useState<KeyDraft>(props.before?.draft ?? newDraft('', ''))
  // The only or the first group is the likely one, and known a moment after the form.
  const likely = groups.find((group) => group.enabled && group.usable)?.name ?? ''
  const [isNamed, setNamed] = useState(props.before !== null)
  const proposed = useFreeName()
  const named = isNamed ? written : { ...written, name: proposed }
  const grouped = named.group === '' ? { ...named, group: likely } : named
  const isNew = props.before === null
  const limits = useQuery({ ...myLimitsQuery, enabled: isNew })
  const mostDays = isNew ? (limits.data?.limits.max_key_validity_days ?? null) : null
  const draft = endingWithin(grouped, mostDays)
  const queries = useQueryClient()
  const change = (part: Partial<KeyDraft>): void => setDraft((before) => ({ ...before, ...part }))
  const submission = useSubmission<Answer>({
    fields: KEY_FIELDS,
    check: () => {
      const problems = Object.entries(validate(draft, Date.now()))
      return Object.fromEntries(problems.map(([field, problem]) => [field, t.objections[problem]]))
    },
    send: async (idempotencyKey, version, sinceMs) => {
      // A name that was proposed stays once it was sent: the next try is for the same key.
      setNamed(true)
      change({ name: draft.name })
      // It may be sent before it is known how long keys may be valid.
      const report = isNew ? await queries.ensureQueryData(myLimitsQuery).catch(() => null) : null
      const ended = endingWithin(draft, report?.limits.max_key_validity_days ?? null)
      return props.send(ended, { idempotencyKey, version, sinceMs })
    },
    ...(props.onTheirs === undefined ? {} : { onTheirs: props.onTheirs }),
    onDone: props.onDone,
  })
  const fields = { draft, change, errorOf: (field: KeyField) => submission.errorOf(field) }
  const form = useOpenedAt(props.opensAt)
  const isFoldedWrong = FOLDED_FIELDS.some((field) => submission.errorOf(field) !== undefined)
  return (
    <div ref={form}>
      <Form
        submission={submission}
        className="grid grid-cols-1 gap-4"
        foot={
          <FormFoot
            label={t.summaryLabel}
            note={props.note}
            summary={t.summary(summaryFacts(draft, groups, { nowMs: Date.now(), format }))}
          >
            <Button onClick={props.onCancel}>{shared.cancel}</Button>
            <Button type="submit" look="primary" isBusy={submission.isSending}>
              {props.submitLabel}
            </Button>
          </FormFoot>
        }
      >
        <NameField
          value={draft.name}
          onValue={(name) => {
            setNamed(true)
            change({ name })
          }}
          keyId={props.before?.keyId}
          isProposed={!isNamed}
          hasFocusAtFirst={props.opensAt === undefined}
          error={submission.errorOf('name')}
        />
        <QueryView query={groupsPage} skeleton={<Skeleton className="h-22 rounded-lg" />}>
          {() => (
            <GroupField
              groups={groups}
              value={draft.group}
              onValue={(group) => change({ group })}
              error={submission.errorOf('group')}
            />
          )}
        </QueryView>
        {isNew && limits.isPending ? (
          <Skeleton className="h-21 rounded-lg" />
        ) : (
          <ValidityField
            value={draft.validity}
            onValue={(validity) => change({ validity })}
            unchanged={props.before?.expiresAt ?? null}
            mostDays={mostDays}
            error={submission.errorOf('expires_at')}
          />
        )}
        <Disclosure
          title={t.form.more}
          summary={isNew ? t.form.moreSummary : t.form.moreSummaryEdit}
          isOpenAtFirst={
            isFoldedWrong || props.opensAt !== undefined || (props.before !== null && hasFolded(props.before.draft))
          }
        >
          <div className="grid grid-cols-1 gap-5">
            <QuotaFields {...fields} />
            <RateFields {...fields} />
            <ReachFields {...fields} groups={groups} />
            {isNew && <CustomKeyFields {...fields} />}
          </div>
        </Disclosure>
      </Form>
    </div>
  )
}

/** Where keys have to end, one for which nothing else was chosen ends as late as it may. */
function endingWithin(draft: KeyDraft, mostDays: number | null): KeyDraft {
  if (mostDays === null || draft.validity.kind !== 'permanent') return draft
  return { ...draft, validity: { kind: 'longest', days: mostDays } }
}

/** Brings the field that the form was opened for into sight, and the keyboard to it. */
function useOpenedAt(name: string | undefined): RefObject<HTMLDivElement | null> {
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (name === undefined) return
    const isMeant = (field: Element): boolean => (field.getAttribute('name') ?? '').startsWith(name)
    const meant = [...(form.current?.querySelectorAll<HTMLElement>('[name]') ?? [])].filter(isMeant)
    // Of several to choose from the keyboard goes to the chosen one.
    const field = meant.find((each) => each.matches(':checked')) ?? meant[0]
    field?.scrollIntoView({ block: 'center' })
    field?.focus()
    if (field instanceof HTMLInputElement) field.select()
  }, [name])
  return form
}

/** The sentence and the buttons stay in sight however long the form is. */
function FormFoot(props: {
  readonly label: string
  readonly note: string | undefined
  readonly summary: string
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className="grid gap-2.5">
      {props.note !== undefined && (
        <p className="flex gap-1.5 text-sm font-medium">
          <Icon name="edit" className="mt-0.5 text-accent" />
          <span>{props.note}</span>
        </p>
      )}
      <p role="note" aria-label={props.label} className="text-sm text-ink-2">
        {props.summary}
      </p>
      <div className="flex flex-wrap justify-end gap-2 max-sm:[&>*]:flex-1">{props.children}</div>
    </div>
  )
}

/** Whether anything is set that stands below "more". */
function hasFolded(draft: KeyDraft): boolean {
  const blank = newDraft(draft.name, draft.group)
  return JSON.stringify({ ...draft, validity: blank.validity }) !== JSON.stringify(blank)
}
