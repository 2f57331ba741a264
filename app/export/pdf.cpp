// A sheet as PDF: Cairo draws the page, libqpdf attaches the recipe.
#define POINTERHOLDER_TRANSITION 4
#include <cairo-pdf.h>
#include <cairo.h>

#include <qpdf/Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFEFStreamObjectHelper.hh>
#include <qpdf/QPDFEmbeddedFileDocumentHelper.hh>
#include <qpdf/QPDFFileSpecObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>

#include "app/export/cairo_canvas.h"
#include "app/export/font_lock.h"
#include "app/export/formats.h"
#include "app/export/pdf_typefaces.h"
#include "core/tensor/error.h"

namespace orrery::exporter {
namespace {

cairo_status_t append(void* closure, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

std::string page_bytes(const Sheet& sheet, const TextSetter& text) {
  std::string bytes;
  const SurfacePtr surface(
      cairo_pdf_surface_create_for_stream(append, &bytes, sheet.scene.width, sheet.scene.height));
  // 1.4: the oldest with transparency, which every LaTeX can include.
  cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, sheet.title.c_str());
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_SUBJECT, sheet.description.c_str());
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, creator);
  // Any date: it goes, and two pages made one behind the other are the same bytes.
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
  cairo_surface_set_fallback_resolution(surface.get(), sheet.dpi, sheet.dpi);

  const ContextPtr cr(cairo_create(surface.get()));
  if (!sheet.transparent) {
    const figure::Color ground = sheet.scene.background;
    cairo_set_source_rgb(cr.get(), ground.r / 255.0, ground.g / 255.0, ground.b / 255.0);
    cairo_paint(cr.get());
  }
  CairoCanvas canvas(cr.get(), text);
  figure::paint(sheet.scene, canvas);
  const FontLock lock;  // only now Cairo reads the fonts of what it was shown
  cairo_show_page(cr.get());
  cairo_surface_finish(surface.get());
  for (const cairo_status_t status : {cairo_status(cr.get()), cairo_surface_status(surface.get())}) {
    if (status != CAIRO_STATUS_SUCCESS) {
      throw Failure(wrong("cannot make a PDF: {}", foreign(cairo_status_to_string(status))));
    }
  }
  return bytes;
}

/// Made twice, and the same both times. Where Cairo has no memory for a part of a typeface it says nothing: letters are
/// missing, or in another program's typeface, and all of it is called a success.
std::string sure_page_bytes(const Sheet& sheet, const TextSetter& text) {
  std::string page = page_bytes(sheet, text);
  if (page_bytes(sheet, text) != page)
    throw Failure(wrong("cannot make a PDF: {}", words("made twice, it was not the same both times")));
  return page;
}

void attach(QPDF& pdf, const std::string& recipe) {
  auto stream = QPDFEFStreamObjectHelper::createEFStream(pdf, recipe);
  stream.setSubtype("application/toml");
  auto file = QPDFFileSpecObjectHelper::createFileSpec(pdf, attachment_name, stream);
  file.setDescription("How to make this figure again");
  // The PDF standard's word for an attachment that the document was made from.
  file.getObjectHandle().replaceKey("/AFRelationship", QPDFObjectHandle::newName("/Source"));
  QPDFEmbeddedFileDocumentHelper(pdf).replaceEmbeddedFile(attachment_name, file);
}

std::string rewritten(QPDF& pdf) {
  QPDFWriter writer(pdf);
  writer.setOutputMemory();
  writer.setDeterministicID(true);
  writer.setObjectStreamMode(qpdf_o_disable);  // they came with 1.5
  writer.write();
  const auto buffer = writer.getBufferSharedPointer();
  return {reinterpret_cast<const char*>(buffer->getBuffer()), buffer->getSize()};
}

}  // namespace

std::string pdf_bytes(const Sheet& sheet, const TextSetter& text) {
  const std::string page = sure_page_bytes(sheet, text);
  QPDF pdf;
  pdf.setSuppressWarnings(true);
  pdf.processMemoryFile("figure", page.data(), page.size());
  check_typefaces(pdf);
  // The date of making: the same figure has the same bytes tomorrow.
  pdf.getTrailer().getKey("/Info").removeKey("/CreationDate");
  if (!sheet.recipe.empty()) attach(pdf, sheet.recipe);
  std::string bytes = rewritten(pdf);
  // It mends what it cannot read, and for want of memory it cannot read even what Cairo made: then something is lost.
  if (pdf.anyWarnings())
    throw Failure(wrong("cannot make a PDF: {}", foreign(pdf.getWarnings().front().what())));
  return bytes;
}

}  // namespace orrery::exporter
