import type { ReactNode } from 'react'
import type { PlanView } from '../../../../src/contract/billing.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { MenuItem, MenuLine } from '../../../ui/menu-items.tsx'

/** What stands in the address while its dialog is open. */
export type PlanStep = 'edit' | 'assign' | 'delete'

/** What can be done with one plan. Those from the file are assigned here, and changed there alone. */
export default function PlanMenu(props: {
  readonly plan: PlanView
  onStep(step: PlanStep, plan: PlanView): void
}): ReactNode {
  const t = useTexts('plans')
  const { plan, onStep } = props
  return (
    <>
      <MenuItem icon="account" onSelect={() => onStep('assign', plan)}>
        {t.assign}
      </MenuItem>
      {plan.managed ? (
        <p className="max-w-64 px-2.5 py-1.5 text-sm text-ink-2">{t.managed}</p>
      ) : (
        <>
          <MenuItem icon="edit" onSelect={() => onStep('edit', plan)}>
            {t.edit}
          </MenuItem>
          <MenuLine />
          <MenuItem icon="trash" isDangerous onSelect={() => onStep('delete', plan)}>
            {t.delete}
          </MenuItem>
        </>
      )}
    </>
  )
}
