import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import type { GroupView } from '../../../../src/contract/groups.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { drawn } from '../../../drawn.ts'
import { GroupChoice } from './group-choice.tsx'

test('models can be put into groups that list theirs, and not into those that the file manages or that have all', async () => {
  const group = (name: string, about: Partial<GroupView>) => ({ id: name, name, ...about }) as GroupView
  const client = new QueryClient()
  const data = [
    group('open', { models: ['gpt'], managed: false }),
    group('filed', { models: ['gpt'], managed: true }),
    group('whole', { models: ['*'], managed: true }),
  ]
  client.setQueryData(groupsQuery.queryKey, { data, next_cursor: null })
  const choice = createElement(GroupChoice, { chosen: [], onChosen: () => {} })
  const labels = (await drawn(createElement(QueryClientProvider, { client }, choice))).split('<label').slice(1)
  expect(labels.map((label) => [label.includes('disabled=""'), label.includes('checked=""')])).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ])
  expect(labels[1]).toContain('managed in the configuration file')
  expect(labels[2]).toContain('includes all models')
})
