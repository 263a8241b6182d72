import type { ReactNode } from 'react'
import type { PlanView } from '../../../../src/contract/billing.ts'
import { deletePlan, type UseOfPlan } from '../../../api/plan-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { DeleteDialog } from '../kit/delete-dialog.tsx'
import type { AskedDialog } from '../kit/resource-page.tsx'
import type { PlanStep } from './plan-menu.tsx'

const EditPlan = lazyPart(() => import('./edit-plan.tsx'))
const AssignPlan = lazyPart(() => import('./assign-plan.tsx'))
const CreateCodes = lazyPart(() => import('./create-codes.tsx'))

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
