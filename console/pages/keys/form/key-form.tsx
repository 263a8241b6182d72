import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { Form } from '../../../forms/form.tsx'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { FormFoot } from './form-foot.tsx'
import { FOLDED_FIELDS, newDraft, type KeyDraft, type KeyField } from './key-draft.ts'
import { KeyQuestions } from './key-questions.tsx'
import { summaryFacts } from './key-summary.ts'
import { type DraftFieldsProps, RateFields } from './limit-fields.tsx'
import { CustomKeyFields, ReachFields } from './reach-fields.tsx'
import { useKeyForm, type KeyFormOptions } from './use-key-form.ts'

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
  const form = useKeyForm(props)
  const { draft, change, groupsPage, submission } = form
  const groups = groupsPage.data?.data ?? []
  const fields = { draft, change, errorOf: (field: KeyField) => submission.errorOf(field) }
  const place = useOpenedAt(opensAt)
  return (
    <div ref={place}>
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
        <KeyQuestions form={form} before={before} hasFocusAtFirst={opensAt === undefined} />
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
