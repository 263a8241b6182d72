import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PlanView } from '../../../../src/contract/billing.ts'
import { deletePlan, type UseOfPlan } from '../../../api/plan-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import type { PlanStep } from './plan-menu.tsx'

const PlanForm = lazyPart(() => import('./plan-form.tsx'))
const AssignPlan = lazyPart(() => import('./assign-plan.tsx'))
const CreateCodes = lazyPart(() => import('./create-codes.tsx'))

/** The dialog that the address names, by the id of its plan. One that is gone opens nothing. */
export default function PlanDialogs(props: {
  readonly plans: readonly PlanView[]
  readonly uses: ReadonlyMap<string, UseOfPlan> | null
  readonly wish: { readonly [Step in PlanStep | 'new']: string | undefined }
  onClose(): void
}): ReactNode {
  const { plans, uses, wish, onClose } = props
  const found = (id: string | undefined): PlanView | null => plans.find((each) => each.id === id) ?? null
  const [edited, assigned, deleted] = [found(wish.edit), found(wish.assign), found(wish.delete)]
  if (wish.new === 'codes') return <CreateCodes plans={plans} onClose={onClose} />
  if (wish.new !== undefined) return <PlanForm plan={null} running={0} onClose={onClose} />
  if (edited !== null) {
    return <PlanForm key={edited.id} plan={edited} running={uses?.get(edited.id)?.running ?? 0} onClose={onClose} />
  }
  if (assigned !== null) return <AssignPlan key={assigned.id} plan={assigned} onClose={onClose} />
  return deleted === null ? null : <DeletePlan plan={deleted} onClose={onClose} />
}

function DeletePlan({ plan, onClose }: { readonly plan: PlanView; onClose(): void }): ReactNode {
  const t = useTexts('plans').deleting
  const toast = useToast()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => deletePlan(plan.id),
    onSuccess: () => {
      toast({ text: t.done(plan.name) })
      void queries.invalidateQueries({ queryKey: ['plans'] })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      isOpen
      title={t.title(plan.name)}
      action={t.action}
      isDangerous
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <p>{t.text}</p>
        {remove.error !== null && <ErrorState error={remove.error} />}
      </div>
    </ConfirmDialog>
  )
}
