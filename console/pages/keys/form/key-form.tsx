import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { Form } from '../../../forms/form.tsx'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { GroupField } from './group-field.tsx'
import { FOLDED_FIELDS, newDraft, type KeyDraft, type KeyField } from './key-draft.ts'
import { summaryFacts } from './key-summary.ts'
import { type DraftFieldsProps, QuotaFields, RateFields } from './limit-fields.tsx'
import { NameField } from './name-field.tsx'
import { CustomKeyFields, ReachFields } from './reach-fields.tsx'
import { useKeyForm, type KeyFormOptions } from './use-key-form.ts'
import { ValidityField } from './validity-field.tsx'

interface KeyFormProps<Answer> extends KeyFormOptions<Answer> {
  /** The field that the form was opened for. */
  readonly opensAt?: string | undefined
  /** What is to be known of what is filled in. */
  readonly note?: string | undefined
  readonly submitLabel: string
  onCancel(): void
}

/** The form of a key, for a new one and for one that is there: four questions, and what most people do not need folded away. */
export function KeyForm<Answer>(props: KeyFormProps<Answer>): ReactNode {
  const t = useTexts('keys')
  const shared = useSharedTexts()
  const format = useFormat()
  const { before, opensAt } = props
  const { draft, change, isProposed, setName, groupsPage, mostDays, submission } = useKeyForm(props)
  const groups = groupsPage.data?.data ?? []
  const fields = { draft, change, errorOf: (field: KeyField) => submission.errorOf(field) }
  const form = useOpenedAt(opensAt)
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
          onValue={setName}
          keyId={before?.keyId}
          isProposed={isProposed}
          hasFocusAtFirst={opensAt === undefined}
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
        {mostDays === undefined ? (
          <Skeleton className="h-21 rounded-lg" />
        ) : (
          <ValidityField
            value={draft.validity}
            onValue={(validity) => change({ validity })}
            unchanged={before?.expiresAt ?? null}
            mostDays={mostDays}
            error={submission.errorOf('expires_at')}
          />
        )}
        <QuotaFields {...fields} />
        <FoldedFields isOpenAtFirst={isFolded(opensAt)} isNew={before === null} {...fields}>
          <RateFields {...fields} />
          <ReachFields {...fields} groups={groups} />
        </FoldedFields>
      </Form>
    </div>
  )
}

/** What is folded away while nothing of it is set or wrong. */
function FoldedFields(
  props: DraftFieldsProps & {
    readonly isOpenAtFirst: boolean
    readonly isNew: boolean
    readonly children: ReactNode
  },
): ReactNode {
  const t = useTexts('keys').form
  // As the form was opened: what is typed now folds nothing out.
  const [hasAny] = useState(() => hasFolded(props.draft))
  const isWrong = FOLDED_FIELDS.some((field) => props.errorOf(field) !== undefined)
  return (
    <Disclosure
      title={t.more}
      summary={props.isNew ? t.moreSummary : t.moreSummaryEdit}
      isOpenAtFirst={isWrong || hasAny || props.isOpenAtFirst}
    >
      <div className="grid grid-cols-1 gap-5">
        {props.children}
        {props.isNew && <CustomKeyFields {...props} />}
      </div>
    </Disclosure>
  )
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

/** Whether the field of this name stands below "more". */
function isFolded(name: string | undefined): boolean {
  return name !== undefined && FOLDED_FIELDS.some((field) => name.startsWith(field) || field.startsWith(name))
}

/** Whether anything is set that stands below "more". */
function hasFolded(draft: KeyDraft): boolean {
  const blank = newDraft(draft.name, draft.group)
  const { validity, quotaLimit, quotaReset } = draft
  return JSON.stringify(draft) !== JSON.stringify({ ...blank, validity, quotaLimit, quotaReset })
}
