import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import type { Me } from '../../../src/contract/me.ts'
import { adminPageAt } from '../../admin-pages.ts'
import { meQuery } from '../../api/me.ts'
import { staffDictionary } from '../../dictionaries/staff.ts'
import { Notice } from '../../ui/notice.tsx'

/** Why a page can only be read by who is signed in, and which roles change something there. */
export function ReadOnlyReason({ path }: { readonly path: string }): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const changers = adminPageAt(path)?.changers
  if (changers === undefined || changers.includes(me.role)) return null
  return (
    <Suspense fallback={null}>
      <Reason own={me.role} changers={changers} />
    </Suspense>
  )
}

function Reason({ own, changers }: { readonly own: Me['role']; readonly changers: readonly Me['role'][] }): ReactNode {
  const t = staffDictionary.useTexts()
  return (
    <div className="mb-4">
      <Notice>
        {t.readOnly(
          t.roles[own],
          changers.map((role) => t.roles[role]),
        )}
      </Notice>
    </div>
  )
}
