import type { ReactNode } from 'react'
import type { PlanView } from '../../../../src/contract/billing.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { MenuItem, MenuLine } from '../../../ui/menu-items.tsx'
import type { RowMenuProps } from '../kit/resource-page.tsx'

/** The dialogs of a plan, as the address names them. */
export type PlanStep = 'edit' | 'assign' | 'delete'

/** What can be done with one plan. Those from the file are assigned here, and changed there alone. */
export default function PlanMenu({ item: plan, onStep }: RowMenuProps<PlanView, PlanStep>): ReactNode {
  const t = useTexts('plans')
  return (
    <>
      <MenuItem icon="account" onSelect={() => onStep('assign')}>
        {t.assign}
      </MenuItem>
      {plan.managed ? (
        <p className="max-w-64 px-2.5 py-1.5 text-sm text-ink-2">{t.managed}</p>
      ) : (
        <>
          <MenuItem icon="edit" onSelect={() => onStep('edit')}>
            {t.edit}
          </MenuItem>
          <MenuLine />
          <MenuItem icon="trash" isDangerous onSelect={() => onStep('delete')}>
            {t.delete}
          </MenuItem>
        </>
      )}
    </>
  )
}
