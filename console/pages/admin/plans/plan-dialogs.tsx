import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PlanView } from '../../../../src/contract/billing.ts'
import { accountsQuery } from '../../../api/accounts.ts'
import { assignPlan, deletePlan, type UseOfPlan } from '../../../api/plan-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { SearchCombobox } from '../../../ui/search-combobox.tsx'
import { DeleteDialog } from '../kit/delete-dialog.tsx'
import type { AskedDialog } from '../kit/resource-page.tsx'
import { useForm } from '../../../forms/use-form.ts'

const EditPlan = lazyPart(() => import('./edit-plan.tsx'))
const CreateCodes = lazyPart(() => import('./create-codes.tsx'))

/** The dialogs of a plan, as the address names them. */
export type PlanStep = 'edit' | 'assign' | 'delete'

/** The dialog of a plan that the address names. */
export default function PlanDialogs(props: {
  readonly asked: AskedDialog<PlanView, PlanStep>
  readonly plans: readonly PlanView[]
  readonly uses: ReadonlyMap<string, UseOfPlan> | null
  onClose(): void
}): ReactNode {
  const t = useTexts('plans').deleting
  const { asked, plans, uses, onClose } = props
  if (asked.step === 'new') {
    if (asked.kind === 'codes') return <CreateCodes plans={plans} onClose={onClose} />
    return <EditPlan plan={null} running={0} onClose={onClose} />
  }
  const { step, item: plan } = asked
  if (step === 'edit') return <EditPlan plan={plan} running={uses?.get(plan.id)?.running ?? 0} onClose={onClose} />
  if (step === 'assign') return <AssignPlan plan={plan} onClose={onClose} />
  return (
    <DeleteDialog name={plan.name} texts={t} send={() => deletePlan(plan.id)} refreshes={['plans']} onClose={onClose}>
      <p>{t.text}</p>
    </DeleteDialog>
  )
}

const MOST_OFFERED = '20'

/** Opens a subscription to a plan for an account that the server finds, or extends the one that it has. */
function AssignPlan({ plan, onClose }: { readonly plan: PlanView; onClose(): void }): ReactNode {
  const t = useTexts('plans').assigning
  const format = useFormat()
  const [typed, setTyped] = useState('')
  const accounts = useQuery(accountsQuery({ limit: MOST_OFFERED, ...(typed === '' ? {} : { search: typed }) }))
  const found = (accounts.data?.data ?? []).map(({ id, email, name }) => ({ value: id, label: email, detail: name }))
  const form = useForm({
    initial: { account: null as { readonly value: string; readonly label: string } | null, renew: true },
    validate: ({ account }) => ({ account: account === null && 'choose' }),
    messages: t,
    send: ({ account, renew }, { key }) => assignPlan(account?.value ?? '', { plan: plan.name, renew }, key),
    done: (_saved, { account }) => t.done(account?.label ?? ''),
    refreshes: ['plans', 'accounts', 'subscriptions'],
    onClose,
  })
  const wrong = form.errorOf('account')
  return (
    <FormDialog
      form={form}
      size="small"
      title={t.title(plan.name)}
      description={t.lead(format.number(plan.days))}
      action={t.action}
      onClose={onClose}
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
          chosen={form.values.account}
          onSearch={setTyped}
          onValue={(account) => form.change({ account })}
        />
        {wrong !== undefined && (
          <p role="alert" className="mt-1 text-sm text-bad">
            {wrong}
          </p>
        )}
      </div>
      <Checkbox checked={form.values.renew} onChecked={(renew) => form.change({ renew })} hint={t.renewHint}>
        {t.renew}
      </Checkbox>
    </FormDialog>
  )
}
