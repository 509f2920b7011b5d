# Installs check-layout, damage and the suite, removes them, and checks what was installed; included by the Makefile.
# SPDX-License-Identifier: GPL-3.0-or-later

# Names and defaults: GNU Coding Standards, "Directory Variables" and "Command Variables". DESTDIR is put before each when installing.
prefix = /usr/local
exec_prefix = $(prefix)
bindir = $(exec_prefix)/bin
libexecdir = $(exec_prefix)/libexec
datarootdir = $(prefix)/share
datadir = $(datarootdir)
mandir = $(datarootdir)/man
INSTALL = install
INSTALL_PROGRAM = $(INSTALL)
INSTALL_DATA = $(INSTALL) -m 644

install_words = $(foreach name,DESTDIR bindir libexecdir datadir mandir,$(name)=$(call quote,$($(name))))

.PHONY: install uninstall installcheck

install: check-layout
	@INSTALL_PROGRAM=$(call quote,$(INSTALL_PROGRAM)) INSTALL_DATA=$(call quote,$(INSTALL_DATA)) \
	  sh $(srcdir)/lib/install.sh install built=$(O)/native/host $(install_words)

uninstall:
	@sh $(srcdir)/lib/install.sh uninstall $(install_words)

installcheck:
	@$(own)
	@$(tool_environment) sh $(srcdir)/lib/installcheck.sh output=$(O) toolchain=$(call quote,$(TOOLCHAIN)) \
	  targets=$(call quote,$(TARGETS)) $(install_words)
