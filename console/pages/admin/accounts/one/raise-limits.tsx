import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import type { LimitsReport } from '../../../../../src/contract/account-limits.ts'
import { changeAccount } from '../../../../api/accounts.ts'
import { useSharedTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { useProblemText } from '../../../../dictionaries/problem-text.ts'
import { CancelOrSubmit } from '../../../../forms/cancel-or-submit.tsx'
import { Form } from '../../../../forms/form.tsx'
import { NumberField } from '../../../../forms/number-field.tsx'
import { TextField } from '../../../../forms/text-field.tsx'
import { useSubmission, type FieldErrors } from '../../../../forms/use-submission.ts'
import { localInputOf, momentOfLocalInput, timeText, timeZoneHere } from '../../../../format/local-time.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { useGuarded } from '../../../../shell/identity-guard.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Section } from '../../../../ui/section.tsx'
import { useToast } from '../../../../ui/toasts.tsx'
import { useNow } from '../../../../ui/use-now.ts'
import { DAYS, FIELDS, isWindow, type LimitField, limitsOf, objectionsTo, wishOf } from './limit-wish.ts'
import { useLimitNames } from './limit-names.ts'

const DAY_MS = 86_400_000

/** More than the limits of an account until a time, at which it ends by itself: what is given, and giving another. */
export function RaiseLimits(props: { readonly account: AccountView; readonly report: LimitsReport }): ReactNode {
  const t = useTexts('oneAccount').raise
  const { labelled } = useSharedTexts()
  const names = useLimitNames()
  const format = useFormat()
  const nowMs = useNow()
  const guarded = useGuarded()
  const queries = useQueryClient()
  const toast = useToast()
  const problemText = useProblemText()
  const [isOpen, setOpen] = useState(false)
  const { account, report } = props
  const raise = account.raise !== null && Date.parse(account.raise.ends_at) > nowMs ? account.raise : null
  const end = useMutation({
    mutationFn: () => guarded(() => changeAccount(account.id, { raise: null }, account.version)),
    onSuccess: () => toast({ text: t.ended }),
    onError: (error) => toast({ text: problemText(error), tone: 'bad' }),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['accounts'] }),
  })
  const wish = wishOf(raise?.limits ?? null)
  const raised = FIELDS.filter((field) => wish[field] !== '')
  return (
    <Section
      title={t.title}
      lead={raise === null ? t.lead : t.until(format.time(raise.ends_at))}
      actions={
        <>
          {raise !== null && (
            <Button isBusy={end.isPending} onClick={() => end.mutate()}>
              {t.end}
            </Button>
          )}
          <Button onClick={() => setOpen(true)}>{t.action}</Button>
        </>
      }
    >
      {raise !== null && (
        <ul>
          {raised.map((field) => (
            <li key={field}>
              {labelled(names[field], isWindow(field) && wish[field] !== '∞' ? format.money(wish[field]) : wish[field])}
            </li>
          ))}
        </ul>
      )}
      {isOpen && <RaiseForm account={account} report={report} onClose={() => setOpen(false)} />}
    </Section>
  )
}

function RaiseForm(props: {
  readonly account: AccountView
  readonly report: LimitsReport
  onClose(): void
}): ReactNode {
  const texts = useTexts('oneAccount')
  const t = texts.raise
  const names = useLimitNames()
  const guarded = useGuarded()
  const queries = useQueryClient()
  const toast = useToast()
  // As it was when the form was opened.
  const [account] = useState(props.account)
  const [wish, setWish] = useState(() => wishOf(null))
  const zone = timeZoneHere()
  const [until, setUntil] = useState(() => localInputOf(Date.now() + DAY_MS, zone))
  const fields = limitedBy(props.report)
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['accounts'] })
  const submission = useSubmission({
    fields: [...FIELDS, 'ends_at', 'raise.ends_at'],
    check: (): FieldErrors => {
      const end = momentOfLocalInput(until, zone)
      return {
        ...Object.fromEntries(
          Object.entries(objectionsTo(wish)).map(([field, objection]) => [field, texts.limits[objection]]),
        ),
        ...(limitsOf(wish) === null && fields[0] !== undefined ? { [fields[0]]: t.nothing } : {}),
        ...(end === undefined || end <= Date.now() ? { ends_at: t.inFuture } : {}),
      }
    },
    send: (_key, overwritten) => {
      const endsAt = timeText(momentOfLocalInput(until, zone) ?? Date.now())
      const raise = { limits: limitsOf(wish) ?? {}, ends_at: endsAt }
      return guarded(() => changeAccount(account.id, { raise }, overwritten ?? account.version))
    },
    onTheirs: () => {
      refresh()
      props.onClose()
    },
    onDone: () => {
      refresh()
      toast({ text: t.done })
      props.onClose()
    },
  })
  return (
    <Dialog isOpen title={t.action} description={fields.length === 0 ? t.unlimited : t.lead} onClose={props.onClose}>
      <Form
        submission={submission}
        foot={<CancelOrSubmit submission={submission} action={t.submit} onCancel={props.onClose} />}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          {fields.map((field) => (
            <NumberField
              of={isWindow(field) ? 'amount' : 'count'}
              inputMode="text"
              key={field}
              name={field}
              label={names[field]}
              hint={isWindow(field) ? texts.limits.spendHint : undefined}
              isOptional
              value={wish[field]}
              onValue={(text) => setWish({ ...wish, [field]: text })}
              error={submission.errorOf(field)}
            />
          ))}
        </div>
        <TextField
          name="ends_at"
          label={t.endsAt}
          type="datetime-local"
          value={until}
          onValue={setUntil}
          error={submission.errorOf('ends_at') ?? submission.errorOf('raise.ends_at')}
        />
      </Form>
    </Dialog>
  )
}

/** What limits the account now: nothing else can be raised. */
function limitedBy({ limits }: LimitsReport): readonly LimitField[] {
  return FIELDS.filter((field) =>
    isWindow(field) ? limits.spend.some(({ window }) => window === field) : field !== DAYS && limits[field] !== null,
  )
}
