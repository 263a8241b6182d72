import { expect, test } from 'vitest'
import { filesByPage } from './page-files.ts'

const chunk = { type: 'chunk', isEntry: false, imports: [] }

test('a page brings its own files and its words, and not what the entry brings anyway', () => {
  const files = filesByPage([
    { ...chunk, fileName: 'assets/main-1.js', isEntry: true, imports: ['assets/react-1.js'] },
    { ...chunk, fileName: 'assets/react-1.js' },
    { ...chunk, fileName: 'assets/table-1.js', imports: ['assets/react-1.js'] },
    {
      ...chunk,
      fileName: 'assets/sign-in-page-1.js',
      facadeModuleId: '/here/console/pages/outside/sign-in-page.tsx',
      imports: ['assets/table-1.js', 'assets/main-1.js'],
    },
    { ...chunk, fileName: 'assets/outside-en-1.js', facadeModuleId: '/here/console/dictionaries/outside-en.ts' },
    { type: 'asset', fileName: 'assets/styles-1.css' },
  ])
  expect(files).toEqual({
    'sign-in': ['sign-in-page-1.js', 'table-1.js'],
    'sign-in en': ['outside-en-1.js'],
  })
})
