/* The built viewer, as bytes (page.c). VIEWER_PAGE is the path of the built file; it is empty when there was no Node.js. */
    .section .rodata
    .global tl_viewer_page, tl_viewer_page_end
    .hidden tl_viewer_page, tl_viewer_page_end
tl_viewer_page:
    .incbin VIEWER_PAGE
tl_viewer_page_end:
    .byte 0
    .section .note.GNU-stack, "", %progbits
