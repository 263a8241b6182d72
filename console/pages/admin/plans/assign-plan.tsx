import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { PlanView } from '../../../../src/contract/billing.ts'
import { accountsQuery } from '../../../api/accounts.ts'
import { assignPlan } from '../../../api/plan-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../forms/cancel-or-submit.tsx'
import { Form } from '../../../forms/form.tsx'
import { useSubmission, type FieldErrors } from '../../../forms/use-submission.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SearchCombobox } from '../../../ui/search-combobox.tsx'
import { useToast } from '../../../ui/toasts.tsx'

const MOST_OFFERED = '20'

/** Opens a subscription to a plan for an account that the server finds, or extends the one that it has. */
export default function AssignPlan({ plan, onClose }: { readonly plan: PlanView; onClose(): void }): ReactNode {
  const t = useTexts('plans').assigning
  const format = useFormat()
  const queries = useQueryClient()
  const toast = useToast()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<{ readonly value: string; readonly label: string } | null>(null)
  const [renew, setRenew] = useState(true)
  const accounts = useQuery(accountsQuery({ limit: MOST_OFFERED, ...(typed === '' ? {} : { search: typed }) }))
  const found = (accounts.data?.data ?? []).map(({ id, email, name }) => ({ value: id, label: email, detail: name }))
  const submission = useSubmission({
    fields: ['account'],
    check: (): FieldErrors => (chosen === null ? { account: t.choose } : {}),
    send: (key) => assignPlan(chosen?.value ?? '', { plan: plan.name, renew }, key),
    onDone: () => {
      for (const name of ['plans', 'accounts', 'subscriptions']) void queries.invalidateQueries({ queryKey: [name] })
      toast({ text: t.done(chosen?.label ?? '') })
      onClose()
    },
  })
  const wrong = submission.errorOf('account')
  return (
    <Dialog
      isOpen
      size="small"
      title={t.title(plan.name)}
      description={t.lead(format.number(plan.days))}
      onClose={onClose}
    >
      <Form
        submission={submission}
        foot={<CancelOrSubmit submission={submission} action={t.action} onCancel={onClose} />}
      >
        <div>
          <p className="mb-1 font-medium" aria-hidden="true">
            {t.account}
          </p>
          <SearchCombobox
            aria-label={t.account}
            placeholder={t.pick}
            found={found}
            isSearching={accounts.isPlaceholderData}
            chosen={chosen}
            onSearch={setTyped}
            onValue={setChosen}
          />
          {wrong !== undefined && (
            <p role="alert" className="mt-1 text-sm text-bad">
              {wrong}
            </p>
          )}
        </div>
        <Checkbox checked={renew} onChecked={setRenew} hint={t.renewHint}>
          {t.renew}
        </Checkbox>
      </Form>
    </Dialog>
  )
}
