import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'

/** The groups that models are put into as they are added; those with all models have them anyway, and the file alone changes its own. */
export function GroupChoice(props: {
  readonly chosen: readonly GroupView[]
  onChosen(groups: readonly GroupView[]): void
}): ReactNode {
  const t = useTexts('upstreams').adding
  const groups = useQuery(groupsQuery).data?.data ?? []
  const { chosen, onChosen } = props
  return (
    <fieldset>
      <legend className="text-base font-medium">{t.groups}</legend>
      <p className="text-sm text-ink-3">{t.groupsHint}</p>
      {groups.map((group) => {
        const hasAll = group.models.includes('*')
        const others = chosen.filter(({ id }) => id !== group.id)
        return (
          <Checkbox
            key={group.id}
            checked={hasAll || others.length < chosen.length}
            disabled={hasAll || group.managed}
            hint={hasAll ? t.allModels : group.managed ? t.managedGroup : undefined}
            onChecked={(isChecked) => onChosen(isChecked ? [...others, group] : others)}
          >
            {group.name}
          </Checkbox>
        )
      })}
    </fieldset>
  )
}
