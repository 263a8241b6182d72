import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { groupsQuery } from '../../api/groups.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useChange } from '../../forms/use-change.ts'
import { Button } from '../../ui/button.tsx'

/** Enables a group that was disabled, by its name, for those who may. */
export default function EnableGroup(props: {
  readonly group: string
  readonly look: 'primary' | 'secondary'
}): ReactNode {
  const t = useTexts('refusals').fix
  const queries = useQueryClient()
  const change = useChange({
    send: async () => {
      const { data: groups } = await queries.fetchQuery({ ...groupsQuery, staleTime: 0 })
      const group = groups.find(({ name }) => name === props.group)
      if (group === undefined) return t.noGroup
      if (group.managed) return t.managedGroup
      // Only with the press: pages that show this button load without what admins do to groups.
      const { changeGroup } = await import('../../api/group-admin.ts')
      await changeGroup(group.id, { enabled: true }, group.version)
      return t.done
    },
    done: (said) => said,
    refreshes: ['groups', 'keys', 'models', 'diagnosis'],
  })
  return (
    <Button look={props.look} isBusy={change.isPending} onClick={() => change.mutate()}>
      {t.enableGroup(props.group)}
    </Button>
  )
}
