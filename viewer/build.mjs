// Bundles src/ to one HTML file: node build.mjs OUTPUT
import { build } from 'esbuild'
import { readFileSync, writeFileSync } from 'node:fs'

const bundle = await build({
  entryPoints: ['src/main.js'],
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['es2020'],
  charset: 'ascii',
  legalComments: 'none',
  write: false,
  outdir: 'out',
})
const script = bundle.outputFiles.find((f) => f.path.endsWith('.js')).text.replaceAll('</script', '<\\/script')
const style = bundle.outputFiles.find((f) => f.path.endsWith('.css')).text
const notice = ['three', 'uplot'].map((name) => {
  const about = JSON.parse(readFileSync(`node_modules/${name}/package.json`))
  return `${name} ${about.version} (${about.license}) `
})
const page = readFileSync('src/page.html', 'utf8')
  .replace('/*style*/', () => style)
  .replace('/*script*/', () => script)
  .replace('<!--notice-->', () => `<!-- with ${notice.join('and ')}-->`)
writeFileSync(process.argv[2], page)
