// Files for the user, made here.
export function download(blob, name) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name.replace(/[^\w.-]+/g, '_')
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60000)
}
export const pngOf = (canvas) => new Promise((done) => canvas.toBlob(done, 'image/png'))
